#if PostgreSQL
    internal import LedgerModel
    internal import LibPQ

    /// What a statement has answered, in the database's binary format.
    final class DatabaseRows {
        private let result: OpaquePointer

        /// - Parameter result: belongs to this from now on.
        init(owning result: OpaquePointer) {
            self.result = result
        }

        deinit { PQclear(result) }

        var count: Int { Int(PQntuples(result)) }

        var indices: Range<Int> { 0..<count }

        func integer(_ row: Int, _ column: Int) throws(FleetError) -> Int64 {
            guard let number = try optionalInteger(row, column) else { throw Self.malformed }
            return number
        }

        func optionalInteger(_ row: Int, _ column: Int) throws(FleetError) -> Int64? {
            guard let bytes = bytes(row, column) else { return nil }
            // The server's counts and numbers have eight bytes, its booleans one.
            guard bytes.count == 8 || bytes.count == 1 else { throw Self.malformed }
            return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
        }

        /// Nil for NULL.
        func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
            let (row, column) = (Int32(row), Int32(column))
            if PQgetisnull(result, row, column) == 1 { return nil }
            guard let start = PQgetvalue(result, row, column) else { return nil }
            let count = Int(PQgetlength(result, row, column))
            return Array(UnsafeRawBufferPointer(start: start, count: count))
        }

        func text(_ row: Int, _ column: Int) throws(FleetError) -> String? {
            guard let bytes = bytes(row, column) else { return nil }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Self.malformed
            }
            return text
        }

        private static let malformed = FleetError.failed(
            code: "malformed", "a value is not of the type that it should have")
    }
#endif
