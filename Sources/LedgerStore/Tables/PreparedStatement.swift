internal import EntitlementModel
internal import GRDB
internal import GRDBSQLite
internal import LedgerModel

/// One of GRDB's prepared statements, driven through SQLite's own interface.
///
/// A value that GRDB binds goes through arrays of boxed values and through `Data`, which costs
/// the writer more than what SQLite does with it.
struct PreparedStatement {
    private let statement: Statement
    private let pointer: SQLiteStatement
    private let connection: OpaquePointer
    private let parameterCount: CInt

    init(_ statement: Statement) {
        self.statement = statement
        pointer = statement.sqliteStatement
        connection = sqlite3_db_handle(pointer)
        parameterCount = sqlite3_bind_parameter_count(pointer)
    }

    /// Every mark gets a value: one that is omitted would keep its last one.
    func bind<each Value: StatementBinding>(_ values: repeat each Value) throws {
        var count: CInt = 0
        for value in repeat each values {
            count += 1
            try check(value.bind(to: pointer, at: count))
        }
        precondition(count == parameterCount, "a statement has a value for each of its marks")
    }

    /// Runs a statement that changes something. Only in a transaction: a full disk may have ended
    /// it, and later statements would run outside.
    func execute() throws {
        guard sqlite3_get_autocommit(connection) == 0 else {
            throw DatabaseError(resultCode: .SQLITE_ABORT)
        }
        guard try !step() else { preconditionFailure("what changes something returns no rows") }
    }

    /// The result for the first row; nil if there is none.
    func first<Value>(_ read: (Columns) throws -> Value) throws -> Value? {
        guard try step() else { return nil }
        return try read(Columns(pointer))
    }

    /// Reads the rows in their order. The body must not run this statement itself.
    func forEachRow(_ read: (Columns) throws -> Void) throws {
        while try step() { try read(Columns(pointer)) }
    }

    /// Ready for other values. Repeats the error of the last step, which was thrown then.
    func reset() {
        sqlite3_reset(pointer)
    }

    /// - Returns: whether there is a row.
    private func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    private func check(_ code: CInt) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}

/// The columns of a row, as they must be: in a damaged file they may be anything, and that is
/// thrown.
struct Columns {
    private let pointer: SQLiteStatement

    fileprivate init(_ pointer: SQLiteStatement) {
        self.pointer = pointer
    }

    func integer(_ column: CInt) throws -> Int64 {
        guard let value = try optionalInteger(column) else { throw LedgerStoreError.corrupt }
        return value
    }

    func optionalInteger(_ column: CInt) throws -> Int64? {
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return sqlite3_column_int64(pointer, column)
        default: throw LedgerStoreError.corrupt
        }
    }

    func identifier<ID: Identifier>(_ column: CInt) throws -> ID {
        guard let id = try text(column).flatMap({ ID($0) }) else {
            throw LedgerStoreError.corrupt
        }
        return id
    }

    /// Nil if it is NULL.
    func text(_ column: CInt) throws -> String? {
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(pointer, column) else {
                throw LedgerStoreError.corrupt
            }
            let count = Int(sqlite3_column_bytes(pointer, column))
            return String(
                decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        default: throw LedgerStoreError.corrupt
        }
    }

    func bytes(_ column: CInt) throws -> [UInt8]? {
        try withBytes(column) { bytes in bytes.withUnsafeBytes { Array($0) } }
    }

    /// Lends the bytes where SQLite has them; nil where there are none.
    func withBytes<Result>(
        _ column: CInt, _ body: (RawSpan) throws -> Result
    ) throws -> Result? {
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(pointer, column)
            let count = Int(sqlite3_column_bytes(pointer, column))
            return try body(UnsafeRawBufferPointer(start: start, count: count).bytes)
        default: throw LedgerStoreError.corrupt
        }
    }
}

/// Bytes as SQLite takes them, without the detour of `Data`.
struct Blob: StatementBinding {
    fileprivate let bytes: [UInt8]

    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        bytes.withUnsafeBytes { $0.bind(to: statement, at: index) }
    }
}

/// Bytes that SQLite reads in place: for a statement that is run and reset while they are valid,
/// and bound again before it runs next.
struct BorrowedBlob: StatementBinding {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: Slice<UnsafeRawBufferPointer>) {
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes)
    }

    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        bytes.bind(to: statement, at: index, owner: nil)
    }
}

extension Digest256: StatementBinding {
    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        withUnsafeBytes { $0.bind(to: statement, at: index) }
    }
}

extension [UInt8] {
    var blob: Blob { Blob(bytes: self) }
}

extension UnsafeRawBufferPointer {
    /// SQLite makes its own copy. No bytes are a blob too, and no address would be NULL.
    fileprivate func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        bind(
            to: statement, at: index, owner: unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    /// Without an owner, SQLite makes no copy.
    fileprivate func bind(
        to statement: SQLiteStatement, at index: CInt, owner: sqlite3_destructor_type?
    ) -> CInt {
        guard let baseAddress, !isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
        return sqlite3_bind_blob64(statement, index, baseAddress, UInt64(count), owner)
    }
}

/// Prepared statements by the addresses of their texts.
///
/// The writer looks some of them up for each entry, so this is an open-addressing table without the
/// library's hashing.
struct StatementTable {
    private var entries: [(text: UnsafePointer<UInt8>, statement: PreparedStatement)?] =
        Array(repeating: nil, count: 32)
    private var count = 0

    subscript(text: StaticString) -> PreparedStatement? {
        entries[place(of: text.utf8Start)]?.statement
    }

    /// For a text that has none yet.
    mutating func insert(_ statement: PreparedStatement, for text: StaticString) {
        if 2 * count >= entries.count { grow() }
        entries[place(of: text.utf8Start)] = (text.utf8Start, statement)
        count += 1
    }

    /// The slot of the text, or the free slot for it. At least half of the slots are free.
    private func place(of text: UnsafePointer<UInt8>) -> Int {
        let mask = entries.count - 1
        let mixed = UInt64(UInt(bitPattern: text)) &* 0x9E37_79B9_7F4A_7C15
        var place = Int(mixed >> 32) & mask
        while let entry = entries[place], entry.text != text { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let known = entries
        entries = Array(repeating: nil, count: 2 * known.count)
        for case let entry? in known { entries[place(of: entry.text)] = entry }
    }
}
