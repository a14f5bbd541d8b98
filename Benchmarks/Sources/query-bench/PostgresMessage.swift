/// PostgreSQL's protocol, version 3, as much as is needed.
///
/// A question is `Bind`, `Execute` and `Sync` of a statement that was parsed once; every answer
/// ends with `ReadyForQuery`.
enum PostgresMessage {
    private static let table = "answers"
    private static let entitlement = Array("premium".utf8)

    static var startup: [UInt8] {
        let body = number(196_608) + texts("user", "postgres", "database", "postgres") + [0]
        return number(body.count + 4) + body
    }

    static var prepare: [UInt8] {
        let select = "SELECT answer FROM \(table) WHERE account = $1 AND entitlement = $2"
        return message("P", texts("question", select) + short(0)) + sync
    }

    /// The table that is asked, without its key: that is made when it is full.
    static let create = query(
        """
        CREATE TABLE \(table) (account text, entitlement text, answer text)
        """)

    static let index = query("ALTER TABLE \(table) ADD PRIMARY KEY (account, entitlement)")

    /// So that no reader has to look whether a row is visible, nor to write that it did.
    static let settle = query("VACUUM (FREEZE, ANALYZE) \(table)")

    static let beginCopy = query("COPY \(table) FROM STDIN")

    static let endCopy = message("c", [])

    static func append(_ account: Int, to bytes: inout [UInt8]) {
        let name = Array(Party.account(account).utf8)
        bytes += message(
            "B",
            texts("", "question") + short(0) + short(2) + number(name.count) + name
                + number(entitlement.count) + entitlement + short(0))
        bytes += message("E", texts("") + number(0))
        bytes += sync
    }

    /// One row of `COPY`, whose format wants backslashes doubled.
    static func appendRow(
        _ account: Int, _ answer: [UInt8], to bytes: inout [UInt8]
    ) {
        var row = Array("\(Party.account(account))\tpremium\t".utf8)
        for byte in answer {
            if byte == UInt8(ascii: "\\") { row.append(byte) }
            row.append(byte)
        }
        row.append(UInt8(ascii: "\n"))
        bytes += message("d", row)
    }

    private static let sync = message("S", [])

    private static func query(_ sql: String) -> [UInt8] { message("Q", texts(sql)) }

    private static func message(_ kind: Unicode.Scalar, _ body: [UInt8]) -> [UInt8] {
        [UInt8(ascii: kind)] + number(body.count + 4) + body
    }

    private static func texts(_ texts: String...) -> [UInt8] {
        texts.flatMap { Array($0.utf8) + [0] }
    }

    private static func number(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: Int32(value).bigEndian) { Array($0) }
    }

    private static func short(_ value: Int16) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
