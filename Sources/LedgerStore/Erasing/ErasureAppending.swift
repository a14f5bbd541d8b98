internal import EntitlementModel
internal import LedgerModel

extension LedgerTransaction {
    func erase(
        _ accounts: [AccountID], as wish: Erasure, at now: Instant
    ) throws(LedgerError) -> Recorded<Erasure> {
        try erase(accounts, as: wish, withClustersOf: [], at: now)
    }

    /// - Parameter taken: entries whose lineages are the person's, whoever is named there.
    func erase(
        _ accounts: [AccountID], as wish: Erasure, withClustersOf taken: [Int64], at now: Instant
    ) throws(LedgerError) -> Recorded<Erasure> {
        let found = try LedgerError.mapping {
            try ErasureSearch(self, accounts: accounts, taken: taken)
        }
        let pseudonyms = pseudonyms(for: found)
        var erasure = wish
        let (entries, kinds) = try LedgerError.mapping { try places(of: found) }
        erasure.entries = [Erasure.Run](joining: entries)
        erasure.kinds = kinds
        let restated = found.shared.sorted { $0.key < $1.key }
        erasure.restated = [Erasure.Run](joining: restated.map(\.key))
        erasure.evidence = [Erasure.Run](
            joining: try LedgerError.mapping { try withBytes(found.blanked) })
        erasure.digest = Erasure.digest(entries: erasure.entries, evidence: erasure.evidence)
        for (place, entry) in restated {
            let new = entry.restated(pseudonyms)
            var others = Set(pseudonyms.accounts.values)
            for name in new.names.foundAccounts where try isPseudonym(name) { others.insert(name) }
            let restated = RestatedEntry(
                sequence: LedgerSequence(place), entry: new,
                pseudonyms: new.names.foundAccounts.intersection(others).sorted())
            _ = try append(.restated(restated), at: now)
        }
        let sequence = try append(.erasure(erasure), at: now)
        try LedgerError.mapping { try apply(erasure, at: sequence) }
        return Recorded(
            sequence: sequence, recordedAt: try head().recordedAt, value: erasure)
    }

    /// Where the content is that goes: of an entry that was restated before, in the later one.
    private func places(
        of found: ErasureSearch
    ) throws -> (entries: [Int64], kinds: [Erasure.KindCount]) {
        var entries: [Int64] = []
        var counts: [EntryKind: Int64] = [:]
        for (place, entry) in found.whole.merging(found.shared, uniquingKeysWith: { $1 }) {
            entries.append(try self.place(restating: place) ?? place)
            counts[entry.registered.kind, default: 0] += 1
        }
        let kinds = counts.map { Erasure.KindCount(kind: $0.key.rawValue, count: $0.value) }
        return (entries, kinds.sorted { $0.kind < $1.kind })
    }

    private func withBytes(_ places: Set<Int64>) throws -> [Int64] {
        try places.filter { place in
            try connection.integer(
                "SELECT bytes IS NOT NULL FROM evidence WHERE seq = ?", place) == 1
        }
    }

    /// The entry that is read in the place of this one.
    func place(restating place: Int64) throws -> Int64? {
        try connection.integer("SELECT place FROM restated WHERE seq = ?", place)
    }

    /// One for each account, whatever the case of a UUID is: letters only, so that every spelling
    /// keeps its own. In the order of the names, so that whoever has both entries knows which is
    /// whose.
    private func pseudonyms(for found: ErasureSearch) -> PayloadNames {
        let folded = Set(found.names.map(\.folded)).sorted()
        let made = Array(zip(folded, folded.map { _ in newPseudonym() }.sorted()))
        var names = PayloadNames()
        for (account, pseudonym) in made {
            for name in found.names where name.folded == account {
                names.accounts[name] = AccountID(unchecked: pseudonym.spelled(as: name.text))
            }
            if let token = AppAccountToken(account.text) {
                names.tokens[token] = AppAccountToken(pseudonym)
            }
        }
        let others = found.sharedTokens.filter { names.tokens[$0] == nil }.sorted()
        for (token, other) in zip(others, others.map { _ in newPseudonym() }.sorted()) {
            names.tokens[token] = AppAccountToken(other)
        }
        return names
    }

    /// A random UUID of letters.
    private func newPseudonym() -> String {
        var text = ""
        var random = nextSalt()
        for digit in 0..<32 {
            if [8, 12, 16, 20].contains(digit) { text += "-" }
            let (rest, letter) = random.quotientAndRemainder(dividingBy: 6)
            random = rest
            text.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(letter)))
        }
        return text
    }
}

extension String {
    /// In upper case where the other text is.
    fileprivate func spelled(as other: String) -> String {
        guard other.utf8.count == utf8.count else { return self }
        let bytes = zip(utf8, other.utf8).map { byte, model in
            (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(model)
                && (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) ? byte - 0x20 : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
