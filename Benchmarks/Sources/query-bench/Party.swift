/// One of the two that are compared: where it listens, what it is asked, how its answers end.
struct Party {
    let name: String
    let socket: String
    /// One request for each account.
    let requests: [[UInt8]]
    let framing: Framing

    /// How an answer is told from the next one.
    enum Framing {
        /// Head, `content-length`, body.
        case http
        /// `$<length>`, body.
        case resp
    }

    static func account(_ number: Int) -> String { "u-\(number)" }

    static func usher(socket: String, accounts: Int) -> Party {
        Party(
            name: "usher", socket: socket, requests: (1...accounts).map(evaluation),
            framing: .http)
    }

    static func redis(socket: String, accounts: Int) -> Party {
        let requests = (1...accounts).map {
            RESP.command(["GET", account($0)].map { Array($0.utf8) })
        }
        return Party(name: "redis", socket: socket, requests: requests, framing: .resp)
    }

    private static func evaluation(_ number: Int) -> [UInt8] {
        let body = """
            {"subject":{"type":"account","id":"\(account(number))"},"action":{"name":"use"},\
            "resource":{"type":"entitlement","id":"premium"}}
            """
        let head = """
            POST /access/v1/evaluation HTTP/1.1\r\nhost: usher\r\n\
            content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n\r\n
            """
        return Array((head + body).utf8)
    }
}

/// Redis's protocol, as much as is needed.
enum RESP {
    static func command(_ words: [[UInt8]]) -> [UInt8] {
        var bytes = Array("*\(words.count)\r\n".utf8)
        for word in words {
            bytes += Array("$\(word.count)\r\n".utf8) + word + Array("\r\n".utf8)
        }
        return bytes
    }
}
