internal import EntitlementModel

extension FactView {
    /// Whether an earlier purchase of the line carried the token that this one carries: Apple lets
    /// it go on until somebody sets another, so it names nobody anew (spec 1.6).
    ///
    /// The line is the lineage, and those that it goes on from.
    func carriesInheritedToken(_ purchase: Purchase, in lineage: LineageKey) -> Bool {
        guard !purchase.isAccountScoped, let token = purchase.token(in: self) else { return false }
        var (line, unasked) = ([lineage], [lineage])
        while namesPredecessors, let next = unasked.popLast() {
            for older in successions where older.successor == next {
                guard !line.contains(older.predecessor) else { continue }
                line.append(older.predecessor)
                unasked.append(older.predecessor)
            }
        }
        return line.compactMap { self.lineage($0) }.contains { lineage in
            purchases(of: lineage).lazy.flatMap(\.members).contains { earlier in
                earlier.isBought(before: purchase)
                    && tokens(carriedBy: earlier).contains(token)
            }
        }
    }
}

extension Purchase {
    /// In the order of purchases (spec 1.2).
    fileprivate func isBought(before other: Purchase) -> Bool {
        if start != other.start { return start < other.start }
        return TransactionID.precedesByLength(transactionID, other.transactionID)
    }
}
