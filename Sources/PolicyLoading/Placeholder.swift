enum PolicyLoadingPlaceholder {}
