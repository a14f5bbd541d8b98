enum LedgerStorePlaceholder {}
