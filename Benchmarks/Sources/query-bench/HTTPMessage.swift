/// What `query.sock` is asked.
enum HTTPMessage {
    private static let question = """
        "action":{"name":"use"},"resource":{"type":"entitlement","id":"premium"}
        """

    /// Beside a membership that the account has.
    private static let purchase = """
        "action":{"name":"purchase"},\
        "resource":{"type":"product","id":"com.example.reader.audio.basic"}
        """

    static func preflight(_ account: Int) -> String {
        post("/access/v1/evaluation", "{\(subject(account)),\(purchase)}")
    }

    static func evaluation(_ account: Int) -> String {
        post("/access/v1/evaluation", "{\(subject(account)),\(question)}")
    }

    /// What is common to all is said once.
    static func evaluations(_ accounts: some Collection<Int>) -> String {
        let subjects = accounts.map { "{\(subject($0))}" }.joined(separator: ",")
        return post("/access/v1/evaluations", "{\(question),\"evaluations\":[\(subjects)]}")
    }

    static let status = "GET /status HTTP/1.1\r\nhost: usher\r\n\r\n"

    private static func subject(_ account: Int) -> String {
        "\"subject\":{\"type\":\"account\",\"id\":\"\(Party.account(account))\"}"
    }

    private static func post(_ path: String, _ body: String) -> String {
        """
        POST \(path) HTTP/1.1\r\nhost: usher\r\ncontent-type: application/json\r\n\
        content-length: \(body.utf8.count)\r\n\r\n\(body)
        """
    }
}
