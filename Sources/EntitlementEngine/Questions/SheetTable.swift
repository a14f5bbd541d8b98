internal import EntitlementModel

/// Sheets by account, found by the bytes of the account's name.
///
/// An open table with linear probing: no name is kept beside the one in the sheet, and a look-up
/// makes no string. The hash is keyed anew by every process, so nobody can choose names that
/// crowd one place.
struct SheetTable: Sendable {
    /// One half of a hash: enough to tell a few million names apart and to place them.
    struct NameHash: Equatable, Sendable {
        fileprivate let value: UInt32

        init(_ name: Span<UInt8>) {
            var hasher = Hasher()
            name.withUnsafeBytes { hasher.combine(bytes: $0) }
            value = UInt32(truncatingIfNeeded: hasher.finalize())
        }
    }

    private struct Slot: Sendable {
        var sheet: AccountSheet?
        var hash: UInt32 = 0
    }

    private var slots: [Slot] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func sheet(of name: Span<UInt8>, _ hash: NameHash) -> AccountSheet? {
        guard let index = index(of: name, hash) else { return nil }
        return slots[index].sheet
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
        of names: [Range<Int>], in bytes: Span<UInt8>, _ hashes: [NameHash], seen: inout Int
    ) -> [AccountSheet]? {
        guard !slots.isEmpty else { return nil }
        let places = hashes.map(place(of:))
        guard look(at: places, for: names, in: bytes, &seen) == names.count else { return nil }
        return places.compactMap { slots[$0].sheet }
    }

    /// Has what answers about those names are made from fetched from memory, for all at once.
    func fetch(
        _ names: [Range<Int>], in bytes: Span<UInt8>, _ hashes: [NameHash], seen: inout Int
    ) {
        guard !slots.isEmpty else { return }
        _ = look(at: hashes.map(place(of:)), for: names, in: bytes, &seen)
    }

    /// Looks for the sheets of those names, each at its place, and at what is in them.
    ///
    /// - Returns: how many there are.
    private func look(
        at places: [Int], for names: [Range<Int>], in bytes: Span<UInt8>, _ seen: inout Int
    ) -> Int {
        var found = 0
        for (name, place) in zip(names, places) {
            guard let sheet = slots[place].sheet,
                sheet.rights.isOwned(by: bytes.extracting(name))
            else { continue }
            found += 1
            seen &+= sheet.rights.glance()
        }
        return found
    }

    /// In no order.
    var accounts: [AccountID] { slots.compactMap { $0.sheet?.account } }

    func holds(_ account: AccountID) -> Bool {
        let name = account.text.utf8.span
        return index(of: name, NameHash(name)) != nil
    }

    /// Puts the sheet in the place of the one that its account had.
    mutating func keep(_ sheet: AccountSheet) {
        let name = sheet.account.text
        let hash = NameHash(name.utf8.span)
        if let index = index(of: name.utf8.span, hash) {
            slots[index].sheet = sheet
            return
        }
        if (count + 1) * 5 > slots.count * 4 { grow() }
        insert(Slot(sheet: sheet, hash: hash.value))
        count += 1
    }

    @discardableResult
    mutating func remove(_ name: Span<UInt8>, _ hash: NameHash) -> AccountSheet? {
        guard var hole = index(of: name, hash) else { return nil }
        let removed = slots[hole].sheet
        count -= 1
        slots[hole] = Slot()
        // Whatever probed past the hole moves into it, and leaves one.
        var next = after(hole)
        while slots[next].sheet != nil {
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
        while slots[index].sheet != nil {
            if slots[index].hash == hash.value, isOwner(name, at: index) { return index }
            index = after(index)
        }
        return nil
    }

    /// Whether the sheet there is the account's of that name.
    @inline(__always)
    private func isOwner(_ name: Span<UInt8>, at index: Int) -> Bool {
        guard let sheet = slots[index].sheet, sheet.rights.isOwned(by: name) else { return false }
        return true
    }

    /// The first slot that a sheet with that hash can be in: its hash is the same, or it is free.
    private func place(of hash: NameHash) -> Int {
        var index = home(of: hash.value)
        while slots[index].sheet != nil, slots[index].hash != hash.value { index = after(index) }
        return index
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: max(16, old.count + old.count / 2))
        for slot in old where slot.sheet != nil { insert(slot) }
    }

    private mutating func insert(_ slot: Slot) {
        var index = home(of: slot.hash)
        while slots[index].sheet != nil { index = after(index) }
        slots[index] = slot
    }

    /// Where a probe begins: hashes are spread over the slots in their order.
    private func home(of hash: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(slots.count)) >> 32)
    }

    private func after(_ index: Int) -> Int { index + 1 == slots.count ? 0 : index + 1 }

    private func distance(from start: Int, to end: Int) -> Int {
        end >= start ? end - start : end + slots.count - start
    }
}
