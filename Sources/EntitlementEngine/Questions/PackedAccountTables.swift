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
    /// Reads go to random memory, and counting a reference stalls the processor until they arrive.
    /// So each step is done for all names before the next one, and references come last: the reads
    /// of several names overlap.
    ///
    /// - Parameter seen: a sink for the reads.
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

    /// Finds the packed accounts of those names and reads their first bytes.
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
            seen &+= packed.rights.checksum()
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

/// Packed accounts by account, found by the bytes of the account's name.
///
/// An open table with linear probing: names are compared in the packed accounts, and a look-up
/// makes no string. The hash is keyed by the process, so that names cannot be chosen to collide.
struct PackedAccountTable: Sendable {
    /// Half of a hash: enough to distinguish and place a few million names.
    struct NameHash: Equatable, Sendable {
        let value: UInt32

        init(_ name: Span<UInt8>) {
            var hasher = Hasher()
            name.withUnsafeBytes { hasher.combine(bytes: $0) }
            value = UInt32(truncatingIfNeeded: hasher.finalize())
        }
    }

    private struct Slot: Sendable {
        var packed: PackedAccount?
        var hash: UInt32 = 0
    }

    private var slots: [Slot] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func packed(of name: Span<UInt8>, _ hash: NameHash) -> PackedAccount? {
        guard let index = index(of: name, hash) else { return nil }
        return slots[index].packed
    }

    /// In no order.
    var accounts: [AccountID] { slots.compactMap { $0.packed?.account } }

    func holds(_ name: Span<UInt8>, _ hash: NameHash) -> Bool { index(of: name, hash) != nil }

    /// Puts the packed account in the place of the one that its account had.
    ///
    /// - Returns: false if the account had one.
    mutating func keep(
        _ packed: PackedAccount, named name: Span<UInt8>, _ hash: NameHash
    ) -> Bool {
        if let index = index(of: name, hash) {
            slots[index].packed = packed
            return false
        }
        if (count + 1) * 5 > slots.count * 4 { grow() }
        insert(Slot(packed: packed, hash: hash.value))
        count += 1
        return true
    }

    @discardableResult
    mutating func remove(_ name: Span<UInt8>, _ hash: NameHash) -> PackedAccount? {
        guard var hole = index(of: name, hash) else { return nil }
        let removed = slots[hole].packed
        count -= 1
        slots[hole] = Slot()
        // Whatever probed past the hole moves into it, and leaves one.
        var next = after(hole)
        while slots[next].packed != nil {
            let home = home(of: slots[next].hash)
            if distance(from: home, to: next) >= distance(from: hole, to: next) {
                slots.swapAt(hole, next)
                hole = next
            }
            next = after(next)
        }
        return removed
    }

    private func index(of name: Span<UInt8>, _ hash: NameHash) -> Int? {
        guard !slots.isEmpty else { return nil }
        var index = place(of: hash)
        while slots[index].packed != nil {
            if slots[index].hash == hash.value, isOwner(name, at: index) { return index }
            index = after(index)
        }
        return nil
    }

    /// The packed account in a slot that `place(of:)` has found.
    func packed(at place: Int) -> PackedAccount? {
        place < slots.count ? slots[place].packed : nil
    }

    /// Whether the packed account there is the account's of that name.
    @inline(__always)
    private func isOwner(_ name: Span<UInt8>, at index: Int) -> Bool {
        guard let packed = slots[index].packed, packed.rights.isOwned(by: name) else {
            return false
        }
        return true
    }

    /// The first slot that a packed account with that hash can be in: its hash is the same, or it
    /// is free. Zero where there are no slots.
    func place(of hash: NameHash) -> Int {
        guard !slots.isEmpty else { return 0 }
        var index = home(of: hash.value)
        while slots[index].packed != nil, slots[index].hash != hash.value { index = after(index) }
        return index
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: max(16, old.count + old.count / 2))
        for slot in old where slot.packed != nil { insert(slot) }
    }

    private mutating func insert(_ slot: Slot) {
        var index = home(of: slot.hash)
        while slots[index].packed != nil { index = after(index) }
        slots[index] = slot
    }

    /// The first slot of a probe: hashes are spread over the slots in their order.
    private func home(of hash: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(slots.count)) >> 32)
    }

    private func after(_ index: Int) -> Int { index + 1 == slots.count ? 0 : index + 1 }

    private func distance(from start: Int, to end: Int) -> Int {
        end >= start ? end - start : end + slots.count - start
    }
}
