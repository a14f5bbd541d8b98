internal import EntitlementModel

/// Sheets by account, spread over many tables by the hash of the account's name.
///
/// A table that grows moves all of its sheets while everybody who asks waits: of a million
/// accounts in one table those waits took a third of a second.
struct SheetTables: Sendable {
    private static let tableCount = 1_024

    /// Empty until the first sheet comes.
    private var tables: [SheetTable] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func sheet(of name: Span<UInt8>, _ hash: SheetTable.NameHash) -> AccountSheet? {
        guard !tables.isEmpty else { return nil }
        return tables[place(of: hash)].sheet(of: name, hash)
    }

    /// In no order.
    var accounts: [AccountID] { tables.flatMap(\.accounts) }

    func holds(_ account: AccountID) -> Bool {
        let name = account.text.utf8.span
        let hash = SheetTable.NameHash(name)
        return !tables.isEmpty && tables[place(of: hash)].holds(name, hash)
    }

    /// Puts the sheet in the place of the one that its account had.
    mutating func keep(_ sheet: AccountSheet) {
        if tables.isEmpty {
            tables = [SheetTable](repeating: SheetTable(), count: Self.tableCount)
        }
        let name = sheet.account.text
        let hash = SheetTable.NameHash(name.utf8.span)
        if tables[place(of: hash)].keep(sheet, named: name.utf8.span, hash) { count += 1 }
    }

    @discardableResult
    mutating func remove(
        _ name: Span<UInt8>, _ hash: SheetTable.NameHash
    ) -> AccountSheet? {
        guard !tables.isEmpty,
            let removed = tables[place(of: hash)].remove(name, hash)
        else { return nil }
        count -= 1
        return removed
    }

    /// A table orders its sheets by the upper bits of the hash: the lower ones are free.
    private func place(of hash: SheetTable.NameHash) -> Int {
        Int(truncatingIfNeeded: hash.value % UInt32(Self.tableCount))
    }
}
