internal import EntitlementModel

extension Finding {
    /// The order in which findings are listed: by kind, then by start, then by what they are
    /// about.
    static func isListedEarlier(_ left: Finding, _ right: Finding) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        if left.interval.start != right.interval.start {
            return left.interval.start < right.interval.start
        }
        if left.accounts != right.accounts {
            return left.accounts.lexicographicallyPrecedes(right.accounts)
        }
        if left.units != right.units {
            return left.units.lexicographicallyPrecedes(right.units, by: OwnedUnit.precedes)
        }
        return left.facts.lexicographicallyPrecedes(right.facts)
    }
}

extension OwnedUnit {
    /// By environment, lineages first, then by id.
    static func precedes(_ left: OwnedUnit, _ right: OwnedUnit) -> Bool {
        switch (left, right) {
        case (.lineage(let left), .lineage(let right)): left < right
        case (.lineage, .purchase): true
        case (.purchase, .lineage): false
        case (.purchase(let left), .purchase(let right)):
            left.environment == right.environment
                ? TransactionID.precedesByLength(left.transactionID, right.transactionID)
                : left.environment.rawValue < right.environment.rawValue
        }
    }
}

extension [Finding] {
    /// In their order, each once.
    func listedOnce() -> [Finding] {
        isEmpty ? [] : Set(self).sorted(by: Finding.isListedEarlier)
    }
}
