/// Takes messages out of a stream of bytes: header fields, an empty line, and as many bytes as
/// `Content-Length` says (Language Server Protocol 3.17, base protocol).
package struct MessageReader: Sendable {
    /// Why the stream can be read no further: nobody knows where the next message begins.
    package enum Failure: Error, Hashable, Sendable {
        /// No empty line within `headerBytes`.
        case headerTooLarge
        /// A field without a colon, or a length that is none.
        case malformedHeader
        /// No `Content-Length`.
        case missingLength
        /// Another encoding than UTF-8.
        case unknownEncoding
        /// A message longer than `messageBytes`.
        case messageTooLarge
    }

    package static let headerBytes = 8_192
    /// The largest policy file is read, and what JSON adds to it.
    package static let messageBytes = 16 << 20

    private var buffer: [UInt8] = []
    /// Of the message that is awaited; nil while its header is.
    private var length: Int?

    package init() {}

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// The contents of the next message; nil where more bytes are needed.
    package mutating func next() throws(Failure) -> [UInt8]? {
        if length == nil { length = try readHeader() }
        guard let length, buffer.count >= length else { return nil }
        let message = Array(buffer[..<length])
        buffer.removeSubrange(..<length)
        self.length = nil
        return message
    }

    private mutating func readHeader() throws(Failure) -> Int? {
        let bounded = buffer.prefix(Self.headerBytes)
        guard let end = bounded.firstEmptyLine else {
            if buffer.count >= Self.headerBytes { throw .headerTooLarge }
            return nil
        }
        let length = try Self.length(in: buffer[..<end])
        buffer.removeSubrange(..<(end + 4))
        return length
    }

    private static func length(in header: ArraySlice<UInt8>) throws(Failure) -> Int {
        var length: Int?
        var rest = header
        while !rest.isEmpty {
            let end = rest.firstLineEnd ?? rest.endIndex
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[min(end + 2, rest.endIndex)...]
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
                throw .malformedHeader
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon].lowercased() {
            case "content-length":
                guard length == nil, !value.isEmpty, value.utf8.count <= 12,
                    value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let number = Int(value)
                else { throw .malformedHeader }
                length = number
            case "content-type":
                guard Self.isUTF8(value) else { throw .unknownEncoding }
            default: break
            }
        }
        guard let length else { throw .missingLength }
        guard length <= messageBytes else { throw .messageTooLarge }
        return length
    }

    /// `utf8` is what the protocol once said.
    private static func isUTF8(_ type: Substring) -> Bool {
        let parts = type.lowercased().split(separator: "charset=", maxSplits: 1)
        guard parts.count == 2 else { return true }
        return ["utf-8", "utf8"].contains(parts[1].trimming { $0 == "\"" || $0 == " " })
    }
}

/// A message as it is sent.
package func framed(_ message: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
}

extension ArraySlice<UInt8> {
    fileprivate var firstLineEnd: Index? {
        indices.dropLast().first { self[$0] == 0x0D && self[$0 + 1] == 0x0A }
    }

    /// Where the line end before the empty line begins.
    fileprivate var firstEmptyLine: Index? {
        indices.dropLast(3).first { index in
            self[index] == 0x0D && self[index + 1] == 0x0A && self[index + 2] == 0x0D
                && self[index + 3] == 0x0A
        }
    }
}

extension StringProtocol {
    /// Without what meets the condition at both ends.
    func trimming(_ isTrimmed: (Character) -> Bool) -> String {
        var rest = self[...].drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return String(rest)
    }
}
