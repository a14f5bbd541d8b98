#if PostgreSQL
    internal import LedgerModel
    internal import LibPQ

    /// The result of a statement, in the database's binary format.
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

    /// A parameter of a statement, in the database's binary format.
    ///
    /// Names go as bytes, not as text: they are compared as bytes everywhere, and no collation or
    /// encoding of the database has a say in it.
    enum DatabaseValue {
        case integer(Int64?)
        case bytes([UInt8]?)
        case integers([Int64?])
        case byteStrings([[UInt8]?])

        static func name(_ text: String?) -> DatabaseValue {
            .bytes(text.map { Array($0.utf8) })
        }

        static func names(_ texts: [String?]) -> DatabaseValue {
            .byteStrings(texts.map { $0.map { Array($0.utf8) } })
        }

        /// Nil for NULL.
        var encoded: [UInt8]? {
            switch self {
            case .integer(let number): number?.bigEndianBytes
            case .bytes(let bytes): bytes
            case .integers(let numbers):
                Self.array(of: numbers.map { $0?.bigEndianBytes }, type: 20)
            case .byteStrings(let strings): Self.array(of: strings, type: 17)
            }
        }

        /// One dimension, counted from 1; `type` is the OID of its elements.
        private static func array(of elements: [[UInt8]?], type: Int32) -> [UInt8] {
            let hasNull = elements.contains { $0 == nil }
            var bytes: [UInt8] = []
            bytes += (elements.isEmpty ? 0 : 1 as Int32).bigEndianBytes
            bytes += (hasNull ? 1 : 0 as Int32).bigEndianBytes
            bytes += type.bigEndianBytes
            if elements.isEmpty { return bytes }
            bytes += Int32(elements.count).bigEndianBytes
            bytes += (1 as Int32).bigEndianBytes
            for element in elements {
                bytes += Int32(element?.count ?? -1).bigEndianBytes
                bytes += element ?? []
            }
            return bytes
        }
    }

    extension FixedWidthInteger {
        var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
    }
#endif
