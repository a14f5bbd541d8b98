enum EntitlementDerivationPlaceholder {}
