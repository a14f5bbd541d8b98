internal import EntitlementModel

/// Reading names and values out of a request target.
extension Span<UInt8> {
    /// The bytes of `range` with `%XX` resolved; nil where a percent sign is not followed by two
    /// hexadecimal digits. A plus sign is a plus sign.
    func percentDecoded(_ range: Range<Int>) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            guard self[index] == ASCII.percent else {
                decoded.append(self[index])
                index += 1
                continue
            }
            guard index + 2 < range.upperBound, let high = self[index + 1].hexadecimalValue,
                let low = self[index + 2].hexadecimalValue
            else { return nil }
            decoded.append(high << 4 | low)
            index += 3
        }
        return decoded
    }

    /// Reads an id that stands percent-encoded in the target.
    func identifier<ID: Identifier>(
        _ range: Range<Int>, field: String
    ) throws(Problem) -> ID {
        guard let bytes = percentDecoded(range), let id = ID(bytes: bytes.span, 0..<bytes.count)
        else { throw Problem(malformed: ID.self, field: field) }
        return id
    }
}

extension Problem {
    /// What was given for an id is none.
    init<ID: Identifier>(malformed type: ID.Type, field: String) {
        self.init(type == AppleIDKey.self ? .appleIDMalformed : .id, field: field)
    }
}

extension Identifier {
    /// Nil if the bytes are none, too many, not all in the alphabet of ids, or of another form.
    init?(bytes: Span<UInt8>, _ range: Range<Int>) {
        guard Self.isName(bytes, range) else { return nil }
        let text = bytes.string(range)
        guard Self.hasForm(text) else { return nil }
        self.init(unchecked: text)
    }

    /// Whether the bytes are some, not too many, and all in the alphabet of ids.
    static func isName(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        !range.isEmpty && range.count <= maximumLength
            && bytes.allSatisfy(in: range, ASCII.visible.contains)
    }
}
