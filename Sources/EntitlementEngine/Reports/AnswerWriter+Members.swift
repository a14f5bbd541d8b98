package import EntitlementModel

/// Objects, member by member: commas come by themselves.
extension AnswerWriter {
    package mutating func beginObject() { append("{") }

    package mutating func endObject() { append("}") }

    /// Begins a member; its value must follow.
    package mutating func name(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { append(",") }
        append("\"")
        append(name)
        append("\":")
    }

    package mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        if let text { appendText(text) } else { append("null") }
    }

    package mutating func member(_ name: StaticString, _ instant: Instant?) {
        self.name(name)
        append(instant)
    }

    package mutating func member(_ name: StaticString, _ number: Int64) {
        self.name(name)
        append(number)
    }

    package mutating func member(_ name: StaticString, _ number: Int128) {
        self.name(name)
        append(number)
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        append(flag)
    }

    package mutating func member(_ name: StaticString, _ digest: Digest256) {
        self.name(name)
        append("\"")
        appendHexadecimal(digest)
        append("\"")
    }

    package mutating func member(_ name: StaticString, _ rule: RuleReference) {
        self.name(name)
        append(rule)
    }

    /// A member that is left out where there is nothing to say.
    package mutating func memberIfAny(_ name: StaticString, _ text: String?) {
        if let text { member(name, text) }
    }

    package mutating func member(_ name: StaticString, ids: [some Identifier]) {
        member(name, list: ids) { writer, id in writer.appendText(id.text) }
    }

    package mutating func member<Items: Collection>(
        _ name: StaticString, list items: Items,
        _ append: (inout AnswerWriter, Items.Element) -> Void
    ) {
        self.name(name)
        self.append("[")
        for (index, item) in items.enumerated() {
            if index > 0 { self.append(",") }
            append(&self, item)
        }
        self.append("]")
    }

    package mutating func member(
        _ name: StaticString, object append: (inout AnswerWriter) -> Void
    ) {
        self.name(name)
        self.object(append)
    }

    package mutating func object(_ append: (inout AnswerWriter) -> Void) {
        beginObject()
        append(&self)
        endObject()
    }

    /// `from` and `until`; null for a stretch without a beginning or an end.
    package mutating func members(of interval: Interval) {
        member("from", interval.start == .distantPast ? nil : interval.start)
        member("until", interval.end)
    }

    /// The name of a unit: its environment, and a lineage or a transaction.
    package mutating func members(of unit: OwnedUnit) {
        member("environment", unit.environment.rawValue)
        switch unit {
        case .lineage(let key): member("lineage", key.originalTransactionID.text)
        case .purchase(let key): member("transaction", key.transactionID.text)
        }
    }
}
