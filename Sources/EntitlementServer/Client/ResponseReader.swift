/// Reads the answer of a service that closed the connection after it.
enum ResponseReader {
    /// - Parameter hasBody: false for the answer to a HEAD request.
    /// - Throws: `malformed` where the bytes are not one whole answer.
    static func read(
        _ bytes: [UInt8], hasBody: Bool = true
    ) throws(LocalClientError) -> LocalClient.Response {
        guard let head = endOfHead(in: bytes),
            let lines = String(validating: bytes[..<head], as: UTF8.self)?
                .split(separator: "\r\n", omittingEmptySubsequences: false),
            let first = lines.first, first.hasPrefix("HTTP/1.1 "),
            let status = Int(first.dropFirst(9).prefix(3))
        else { throw .malformed }
        let fields = fields(lines.dropFirst())
        let body = Array(bytes[(head + 4)...])
        let length = hasBody ? fields["content-length"].map { Int($0) } : 0
        if let length, length != body.count { throw .malformed }
        return LocalClient.Response(
            status: status, mediaType: fields["content-type"] ?? "", body: body)
    }

    /// Where the empty line begins.
    private static func endOfHead(in bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        return (0...(bytes.count - end.count)).first { bytes[$0..<($0 + 4)].elementsEqual(end) }
    }

    private static func fields(_ lines: ArraySlice<Substring>) -> [String: String] {
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            fields[line[..<colon].lowercased()] = String(value.drop { $0 == " " })
        }
        return fields
    }
}
