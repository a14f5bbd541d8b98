internal import EntitlementModel

/// Sheets by account, spread over many tables by the hash of the account's name.
///
/// A table that grows moves all of its sheets while everybody who asks waits: of a million
/// accounts in one table those waits took a third of a second.
struct SheetTables: Sendable {
    private struct Place {
        let table: Int
        let slot: Int
    }

    private static let tableCount = 1_024

    /// Empty until the first sheet comes.
    private var tables: [SheetTable] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func sheet(of name: Span<UInt8>, _ hash: SheetTable.NameHash) -> AccountSheet? {
        guard !tables.isEmpty else { return nil }
        return tables[table(of: hash)].sheet(of: name, hash)
    }

    /// The sheets of those names, which are at places of `bytes`, in their order; nil unless all
    /// are here.
    ///
    /// What is read lies anywhere in memory, and counting a reference makes the processor wait
    /// until it has what it asked for. So each step is taken for all names before the next one,
    /// and references come last: what several names need is fetched at once.
    ///
    /// - Parameter seen: changes with what was read, so that it has to be read.
    func sheets(
        of names: [Range<Int>], in bytes: Span<UInt8>, _ hashes: [SheetTable.NameHash],
        seen: inout Int
    ) -> [AccountSheet]? {
        guard !tables.isEmpty else { return nil }
        let places = hashes.map(place(of:))
        guard look(at: places, for: names, in: bytes, &seen) == names.count else { return nil }
        return places.compactMap { tables[$0.table].sheet(at: $0.slot) }
    }

    /// Has what answers about those names are made from fetched from memory, for all at once.
    func fetch(
        _ names: [Range<Int>], in bytes: Span<UInt8>, _ hashes: [SheetTable.NameHash],
        seen: inout Int
    ) {
        guard !tables.isEmpty else { return }
        _ = look(at: hashes.map(place(of:)), for: names, in: bytes, &seen)
    }

    /// Looks for the sheets of those names, each at its place, and at what is in them.
    ///
    /// - Returns: how many there are.
    private func look(
        at places: [Place], for names: [Range<Int>], in bytes: Span<UInt8>, _ seen: inout Int
    ) -> Int {
        var found = 0
        for (name, place) in zip(names, places) {
            guard let sheet = tables[place.table].sheet(at: place.slot),
                sheet.rights.isOwned(by: bytes.extracting(name))
            else { continue }
            found += 1
            seen &+= sheet.rights.glance()
        }
        return found
    }

    /// In no order.
    var accounts: [AccountID] { tables.flatMap(\.accounts) }

    func holds(_ name: Span<UInt8>, _ hash: SheetTable.NameHash) -> Bool {
        !tables.isEmpty && tables[table(of: hash)].holds(name, hash)
    }

    /// Puts the sheet in the place of the one that its account had.
    mutating func keep(
        _ sheet: AccountSheet, named name: Span<UInt8>, _ hash: SheetTable.NameHash
    ) {
        if tables.isEmpty {
            tables = [SheetTable](repeating: SheetTable(), count: Self.tableCount)
        }
        if tables[table(of: hash)].keep(sheet, named: name, hash) { count += 1 }
    }

    @discardableResult
    mutating func remove(
        _ name: Span<UInt8>, _ hash: SheetTable.NameHash
    ) -> AccountSheet? {
        guard !tables.isEmpty,
            let removed = tables[table(of: hash)].remove(name, hash)
        else { return nil }
        count -= 1
        return removed
    }

    /// A table orders its sheets by the upper bits of the hash: the lower ones are free.
    private func table(of hash: SheetTable.NameHash) -> Int {
        Int(truncatingIfNeeded: hash.value % UInt32(Self.tableCount))
    }

    /// The first slot that a sheet with that hash can be in.
    private func place(of hash: SheetTable.NameHash) -> Place {
        let table = table(of: hash)
        return Place(table: table, slot: tables[table].place(of: hash))
    }
}
