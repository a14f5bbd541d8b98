package import EntitlementAnswers
package import EntitlementModel
internal import StrictJSON

/// Writes answers to questions as JSON directly into bytes, from packed data. All other answers are
/// written by their shapes (`WireObject`); a test compares the bytes of both.
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

    /// An answer that is not kept packed.
    package mutating func append(_ answer: some WireObject) {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        var writer = JSONWriter(behind: taken)
        taken = []
        answer.write(to: &writer)
        bytes = writer.bytes
    }

    /// Says of an object that is written from `start` on that it is told as if something had
    /// happened.
    package mutating func markAssumed(from start: Int) {
        bytes.insert(contentsOf: Array("\"assumed\":true,".utf8), at: start + 1)
    }

    /// Adds members to the object that was written last.
    package mutating func extend(with members: some WireObject) {
        bytes.removeLast()
        append(",")
        bytes += members.json.dropFirst()
    }

    package mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// ASCII that needs no escaping: raw values, digits.
    package mutating func append(_ plain: String) {
        var plain = plain
        plain.withUTF8 { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(addingCapacity: 20) { $0.append(decimal: number.magnitude) }
    }

    package mutating func append(_ instant: Instant) {
        bytes.append(UInt8(ascii: "\""))
        instant.appendRFC3339(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func appendText(_ text: String) {
        bytes.appendJSONString(text)
    }

    mutating func appendHead(_ key: RightKey, decision: Bool) {
        append("{\"entitlement\":")
        appendText(key.entitlement.text)
        append(",\"environment\":\"")
        append(key.environment.rawValue)
        append(decision ? "\",\"decision\":true" as StaticString : "\",\"decision\":false")
    }

    mutating func appendState(_ state: EntitlementState?, _ reason: ExpiryReason?) {
        append(",\"state\":")
        guard let state else { return append("null") }
        append("\"\(state.rawValue)\"")
        guard let reason else { return }
        append(",\"expiry_reason\":\"\(reason.rawValue)\"")
    }

    /// Lets `write` append up to `room` bytes, in memory that is made sure of once.
    mutating func append(room: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        bytes.append(addingCapacity: room, initializingWith: write)
    }
}
