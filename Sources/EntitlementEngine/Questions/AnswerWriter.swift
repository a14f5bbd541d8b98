package import EntitlementModel

/// Writes answers as JSON straight into bytes: the same bytes on both sockets and from
/// `usher check --json`.
///
/// Identifiers are printable ASCII; the two characters of it that JSON escapes, and everything
/// outside ASCII in rule names, are handled by `appendText`.
package struct AnswerWriter: Sendable {
    package private(set) var bytes: [UInt8]

    package init(reserving capacity: Int = 512) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Continues in a buffer that already holds something.
    package init(continuing bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    /// Makes sure of room for that many bytes more.
    package mutating func reserve(_ room: Int) {
        bytes.reserveCapacity(bytes.count + room)
    }

    /// One answer of `GET …/entitlements/{entitlement}` (spec 1.10).
    package mutating func append(_ answer: Answer) {
        let key = RightKey(answer.environment, answer.entitlement)
        appendHead(key, decision: answer.decision)
        appendMembers(of: answer)
        append("}")
    }

    /// The members that a plain answer and AuthZEN's `context` share, each after a comma.
    package mutating func appendMembers(of answer: Answer) {
        appendState(answer.state, answer.expiryReason)
        appendTimes(
            until: answer.until, paidUntil: answer.paidUntil, willRenew: answer.willRenew)
        append(",\"source\":")
        append(answer.source)
        append(",\"rule\":")
        append(answer.rule)
        append(",\"policy\":\"")
        appendHexadecimal(answer.policy)
        append("\",\"revision\":")
        append(answer.revision.number)
    }

    package mutating func append(_ rule: RuleReference) {
        append("{\"name\":")
        appendText(rule.name)
        append(",\"file\":")
        appendText(rule.file)
        append(",\"line\":")
        append(Int64(rule.line))
        append("}")
    }

    package mutating func append(_ source: RightSource?) {
        switch source {
        case nil: append("null")
        case .grant(let id):
            append("{\"grant\":")
            appendText(id.text)
            append("}")
        case .purchase(let product, let transaction, let lineage):
            append("{\"product\":")
            appendText(product.text)
            append(",\"transaction\":")
            appendText(transaction.transactionID.text)
            append(",\"lineage\":")
            appendText(lineage.originalTransactionID.text)
            append("}")
        }
    }

    /// One balance of `GET …/credits`, with its entries.
    package mutating func append(_ balance: CreditBalance) {
        append("{\"credit\":")
        appendText(balance.credit.text)
        append(",\"balance\":")
        append(balance.balance)
        append(",\"entries\":[")
        for (index, entry) in balance.entries.enumerated() {
            append(index == 0 ? "{\"at\":" : ",{\"at\":")
            append(entry.occurredAt)
            append(",\"units\":")
            append(entry.units)
            append(",\"cause\":\"")
            append(entry.cause.rawValue)
            append("\",\"transaction\":")
            appendOptionalText(entry.transaction?.transactionID.text)
            append(",\"grant\":")
            appendOptionalText(entry.grant?.text)
            append("}")
        }
        append("]}")
    }
}

/// The pieces of an answer that are written alike, packed or not.
extension AnswerWriter {
    mutating func appendHead(_ key: RightKey, decision: Bool) {
        append("{\"entitlement\":")
        appendText(key.entitlement.text)
        append(",\"environment\":\"")
        append(key.environment.rawValue)
        append("\",\"decision\":")
        append(decision)
    }

    mutating func appendState(_ state: EntitlementState?, _ reason: ExpiryReason?) {
        append(",\"state\":")
        appendWord(state?.rawValue)
        guard let reason else { return }
        append(",\"expiry_reason\":")
        appendWord(reason.rawValue)
    }

    mutating func appendTimes(until: Instant?, paidUntil: Instant?, willRenew: Bool?) {
        append(",\"until\":")
        append(until)
        append(",\"paid_until\":")
        append(paidUntil)
        append(",\"will_renew\":")
        appendFlag(willRenew)
    }

    /// Lets `write` append up to `room` bytes, in memory that is made sure of once.
    mutating func append(room: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        bytes.append(addingCapacity: room, initializingWith: write)
    }

    /// JSON that was written before, or a part of it.
    mutating func append(raw json: Span<UInt8>) {
        json.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }
}

/// The pieces that the members above are made of.
extension AnswerWriter {
    package mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// ASCII that needs no escaping: raw values, digits.
    package mutating func append(_ plain: String) {
        var plain = plain
        plain.withUTF8 { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ flag: Bool) {
        if flag { append("true" as StaticString) } else { append("false" as StaticString) }
    }

    package mutating func append(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(addingCapacity: 20) { $0.append(decimal: number.magnitude) }
    }

    /// In full, also beyond 64 bits: JSON's numbers have no end.
    package mutating func append(_ number: Int128) {
        append(String(number))
    }

    package mutating func append(_ instant: Instant?) {
        guard let instant else { return append("null") }
        bytes.append(UInt8(ascii: "\""))
        instant.appendRFC3339(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func appendText(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            if utf8.allSatisfy(Self.isPlain) {
                bytes.append(contentsOf: utf8)
            } else {
                appendEscaped(utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether JSON writes the byte as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                append("\\u00" as StaticString)
                appendHexadecimalDigits(of: byte)
            default: bytes.append(byte)
            }
        }
    }

    package mutating func appendHexadecimal(_ digest: Digest256) {
        for byte in digest.bytes { appendHexadecimalDigits(of: byte) }
    }

    private mutating func appendHexadecimalDigits(of byte: UInt8) {
        bytes.append(Self.hexadecimalDigit(byte >> 4))
        bytes.append(Self.hexadecimalDigit(byte & 0xF))
    }

    private static func hexadecimalDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    private mutating func appendWord(_ word: String?) {
        guard let word else { return append("null") }
        bytes.append(UInt8(ascii: "\""))
        append(word)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendOptionalText(_ text: String?) {
        guard let text else { return append("null") }
        appendText(text)
    }

    private mutating func appendFlag(_ flag: Bool?) {
        guard let flag else { return append("null") }
        append(flag)
    }
}
