internal import EntitlementAnswers

/// Reads a body that comes in chunks, and rejects what two readers could read in two
/// ways (THREATS.md G5): sizes are plain hexadecimal digits, extensions are few and plain, and
/// there are no trailers.
struct ChunkReader: Sendable {
    enum Outcome: Equatable {
        /// All bytes belong to the body, and more will follow.
        case more
        /// The body ends with that many of the bytes.
        case done(Int)
        case rejected(ProblemCode)
    }

    /// What the next byte must be part of.
    private enum Place {
        case size
        case extensionName
        case extensionValue
        case sizeEnd
        case data
        case dataEnd(ASCIIEnd)
        case lastEnd(ASCIIEnd)
    }

    private enum ASCIIEnd {
        case carriageReturn
        case lineFeed
    }

    /// Limit for the extensions of one body together; they are ignored.
    static let extensionBytes = 256
    /// More could not be a length that is allowed.
    private static let mostDigits = 16

    /// The data of the chunks read so far.
    private(set) var data: [UInt8] = []
    private let bodyLimit: Int
    private var place = Place.size
    private var digits = 0
    private var size: UInt64 = 0
    private var rest = 0
    private var announced = 0
    private var extended = 0
    /// Bytes of the name or value that is being read.
    private var wordBytes = 0

    /// - Parameter bodyLimit: bytes of all chunks together.
    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    mutating func read(_ bytes: Span<UInt8>) -> Outcome {
        var index = 0
        while index < bytes.count {
            if case .data = place {
                let count = min(rest, bytes.count - index)
                data.append(bytes.extracting(index..<(index + count)))
                rest -= count
                index += count
                if rest == 0 { place = .dataEnd(.carriageReturn) }
                continue
            }
            let byte = bytes[index]
            index += 1
            if case .lastEnd(.lineFeed) = place {
                return byte == ASCII.lineFeed ? .done(index) : .rejected(.malformed)
            }
            if let code = read(byte) { return .rejected(code) }
        }
        return .more
    }

    /// Reads a byte of the framing.
    private mutating func read(_ byte: UInt8) -> ProblemCode? {
        switch place {
        case .size: return readSize(byte)
        case .extensionName, .extensionValue: return readExtension(byte)
        case .sizeEnd: return byte == ASCII.lineFeed ? begin() : .malformed
        case .dataEnd(.carriageReturn), .lastEnd(.carriageReturn):
            guard byte == ASCII.carriageReturn else { return .malformed }
            if case .dataEnd = place {
                place = .dataEnd(.lineFeed)
            } else {
                place = .lastEnd(.lineFeed)
            }
            return nil
        case .dataEnd(.lineFeed):
            guard byte == ASCII.lineFeed else { return .malformed }
            (place, digits, size) = (.size, 0, 0)
            return nil
        case .data, .lastEnd(.lineFeed): preconditionFailure("these are read elsewhere")
        }
    }

    private mutating func readSize(_ byte: UInt8) -> ProblemCode? {
        if let value = byte.hexadecimalValue {
            digits += 1
            guard digits <= Self.mostDigits else { return .malformed }
            size = size << 4 | UInt64(value)
            return nil
        }
        guard digits > 0 else { return .malformed }
        return endWord(byte)
    }

    private mutating func readExtension(_ byte: UInt8) -> ProblemCode? {
        extended += 1
        guard extended <= Self.extensionBytes else { return .malformed }
        if byte.isTokenByte {
            wordBytes += 1
            return nil
        }
        guard wordBytes > 0 else { return .malformed }
        if case .extensionName = place, byte == UInt8(ascii: "=") {
            (place, wordBytes) = (.extensionValue, 0)
            return nil
        }
        return endWord(byte)
    }

    private mutating func endWord(_ byte: UInt8) -> ProblemCode? {
        switch byte {
        case ASCII.carriageReturn: place = .sizeEnd
        case ASCII.semicolon: (place, wordBytes) = (.extensionName, 0)
        default: return .malformed
        }
        return nil
    }

    /// Begins the chunk whose size has been read.
    private mutating func begin() -> ProblemCode? {
        guard size > 0 else {
            place = .lastEnd(.carriageReturn)
            return nil
        }
        guard size <= UInt64(bodyLimit - announced) else { return .tooLarge }
        rest = Int(size)
        announced += rest
        place = .data
        return nil
    }
}
