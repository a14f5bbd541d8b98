internal import EntitlementModel

/// Packed accounts by account, spread over many tables by the hash of the account's name.
///
/// A table that grows moves all of its packed accounts while everybody who asks waits: of a million
/// accounts in one table those waits took a third of a second.
struct PackedAccountTables: Sendable {
    private struct Place {
        let table: Int
        let slot: Int
    }

    private static let tableCount = 1_024

    /// Empty until the first packed account comes.
    private var tables: [PackedAccountTable] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func packed(of name: Span<UInt8>, _ hash: PackedAccountTable.NameHash) -> PackedAccount? {
        guard !tables.isEmpty else { return nil }
        return tables[table(of: hash)].packed(of: name, hash)
    }

    /// The packed accounts of those names, which are at places of `bytes`, in their order; nil
    /// unless all are here.
    ///
    /// What is read lies anywhere in memory, and counting a reference makes the processor wait
    /// until it has what it asked for. So each step is taken for all names before the next one,
    /// and references come last: what several names need is fetched at once.
    ///
    /// - Parameter seen: changes with what was read, so that it has to be read.
    func packedAccounts(
        of names: [Range<Int>], in bytes: Span<UInt8>, _ hashes: [PackedAccountTable.NameHash],
        seen: inout Int
    ) -> [PackedAccount]? {
        guard !tables.isEmpty else { return nil }
        let places = hashes.map(place(of:))
        guard look(at: places, for: names, in: bytes, &seen) == names.count else { return nil }
        return places.compactMap { tables[$0.table].packed(at: $0.slot) }
    }

    /// Has what answers about those names are made from fetched from memory, for all at once.
    func fetch(
        _ names: [Range<Int>], in bytes: Span<UInt8>, _ hashes: [PackedAccountTable.NameHash],
        seen: inout Int
    ) {
        guard !tables.isEmpty else { return }
        _ = look(at: hashes.map(place(of:)), for: names, in: bytes, &seen)
    }

    /// Looks for the packed accounts of those names, each at its place, and at what is in them.
    ///
    /// - Returns: how many there are.
    private func look(
        at places: [Place], for names: [Range<Int>], in bytes: Span<UInt8>, _ seen: inout Int
    ) -> Int {
        var found = 0
        for (name, place) in zip(names, places) {
            guard let packed = tables[place.table].packed(at: place.slot),
                packed.rights.isOwned(by: bytes.extracting(name))
            else { continue }
            found += 1
            seen &+= packed.rights.glance()
        }
        return found
    }

    /// In no order.
    var accounts: [AccountID] { tables.flatMap(\.accounts) }

    func holds(_ name: Span<UInt8>, _ hash: PackedAccountTable.NameHash) -> Bool {
        !tables.isEmpty && tables[table(of: hash)].holds(name, hash)
    }

    /// Puts the packed account in the place of the one that its account had.
    mutating func keep(
        _ packed: PackedAccount, named name: Span<UInt8>, _ hash: PackedAccountTable.NameHash
    ) {
        if tables.isEmpty {
            tables = [PackedAccountTable](repeating: PackedAccountTable(), count: Self.tableCount)
        }
        if tables[table(of: hash)].keep(packed, named: name, hash) { count += 1 }
    }

    @discardableResult
    mutating func remove(
        _ name: Span<UInt8>, _ hash: PackedAccountTable.NameHash
    ) -> PackedAccount? {
        guard !tables.isEmpty,
            let removed = tables[table(of: hash)].remove(name, hash)
        else { return nil }
        count -= 1
        return removed
    }

    /// A table orders its packed accounts by the upper bits of the hash: the lower ones are free.
    private func table(of hash: PackedAccountTable.NameHash) -> Int {
        Int(truncatingIfNeeded: hash.value % UInt32(Self.tableCount))
    }

    /// The first slot that a packed account with that hash can be in.
    private func place(of hash: PackedAccountTable.NameHash) -> Place {
        let table = table(of: hash)
        return Place(table: table, slot: tables[table].place(of: hash))
    }
}
