#if PostgreSQL
    /// What a statement is given, in the database's binary format.
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
