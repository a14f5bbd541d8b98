internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

/// Listens where the service would, and answers when the test wants it to.
final class ServiceStub {
    private let descriptor: Int32
    private let folder: TemporaryFolder
    /// What was asked last.
    private(set) var target = ""

    /// The folder that `--sockets` names.
    var sockets: String { folder.path }

    init() throws {
        folder = try TemporaryFolder()
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array((folder.path + "/usher.sock").utf8)
        try #require(path.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(descriptor, 8) == 0)
        Self.limitPatience(of: descriptor)
    }

    deinit { close(descriptor) }

    /// Takes one call to its end; then answers, or hangs up.
    ///
    /// - Parameter body: given the body of the call; nil hangs up.
    func answer(_ body: (String) throws -> String?) throws {
        let connection = accept(descriptor, nil, nil)
        try #require(connection >= 0, "nobody called")
        defer { close(connection) }
        Self.limitPatience(of: connection)
        guard let answer = try body(readBody(connection)) else { return }
        let response =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(answer.utf8.count)\r\n\r\n" + answer
        let written = Array(response.utf8).withUnsafeBytes {
            send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        try #require(written == response.utf8.count)
    }

    /// What the service says of a piece.
    static func report(quarantined: JSONValue = []) -> JSONValue {
        [
            "verdict": "judged", "kind": "transaction", "revision": 1, "transactions": [],
            "quarantined": quarantined,
        ]
    }

    private func readBody(_ connection: Int32) throws -> String {
        var bytes: [UInt8] = []
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let head = text.firstRange(of: "\r\n\r\n"),
                let length = text.firstMatch(of: /Content-Length: ([0-9]+)/),
                text[head.upperBound...].utf8.count == Int(length.1)
            {
                target = String(text.split(separator: " ")[1])
                return String(text[head.upperBound...])
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection, &chunk, chunk.count, 0)
            try #require(count > 0, "the call ended early")
            bytes += chunk[..<count]
        }
    }

    private static func limitPatience(of descriptor: Int32) {
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
    }
}
