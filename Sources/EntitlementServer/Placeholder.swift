enum EntitlementServerPlaceholder {}
