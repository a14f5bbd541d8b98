/// Trees as Swift literals, for those who write JSON: `["id": "7", "at": .integer(7), "on": true]`.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) {
        self = .string(value)
    }

    package init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    package init(nilLiteral: ()) {
        self = .null
    }

    package init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// Keeps the order. A name must not occur twice.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { JSONMember($0, $1) })
    }

    /// An integer as a JSON number.
    package static func integer(_ value: Int64) -> JSONValue {
        .number(JSONNumber(value))
    }
}
