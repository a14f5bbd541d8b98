enum StrictJSONPlaceholder {}
