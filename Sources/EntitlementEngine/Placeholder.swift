enum EntitlementEnginePlaceholder {}
