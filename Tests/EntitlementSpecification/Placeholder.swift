enum EntitlementSpecificationPlaceholder {}
