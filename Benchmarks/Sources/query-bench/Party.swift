/// Who answers: what it speaks and where it listens.
struct Party {
    /// What is said, and what is asked for in it.
    enum Speech: String {
        /// One evaluation in one request.
        case usher
        /// The same about a purchase: preflight.
        case preflight
        /// All evaluations of a write in one request.
        case batch
        /// `GET`.
        case redis
        /// A prepared `SELECT` by both columns of the primary key.
        case postgres
    }

    let speech: Speech
    let socket: String

    init(_ speech: Speech, socket: String) {
        self.speech = speech
        self.socket = socket
    }

    /// Reads `redis=/run/redis.sock`.
    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let speech = Speech(rawValue: String(parts[0])) else { return nil }
        self.init(speech, socket: String(parts[1]))
    }

    var name: String { speech.rawValue }

    static func account(_ number: Int) -> String { "u-\(number)" }

    /// What is said once on every connection, each with one answer.
    var greetings: [[UInt8]] {
        speech == .postgres ? [PostgresMessage.startup, PostgresMessage.prepare] : []
    }

    /// How many answers as many questions get.
    func answers(to questions: Int) -> Int { speech == .batch ? 1 : questions }

    /// Appends the bytes of one write.
    func append(_ accounts: some Collection<Int>, to bytes: inout [UInt8]) {
        switch speech {
        case .usher:
            for account in accounts { bytes += HTTPMessage.evaluation(account).utf8 }
        case .preflight:
            for account in accounts { bytes += HTTPMessage.preflight(account).utf8 }
        case .batch:
            bytes += HTTPMessage.evaluations(accounts).utf8
        case .redis:
            for account in accounts {
                RESP.append(["GET".utf8, Self.account(account).utf8], to: &bytes)
            }
        case .postgres:
            for account in accounts { PostgresMessage.append(account, to: &bytes) }
        }
    }
}
