/// A JSON document as a tree that preserves the order of members and the text of numbers.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    /// In the order of the text. Names are unique byte by byte.
    case object([JSONMember])
}

/// One name with its value.
package struct JSONMember: Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }

    /// Names are compared as bytes: Swift's `==` would take the Kelvin sign for a K.
    func hasKey(_ other: String) -> Bool {
        // Equal bytes are equal text; the costly half is asked only where that much is sure.
        key.utf8.count == other.utf8.count && key == other && key.utf8.elementsEqual(other.utf8)
    }
}

extension JSONValue {
    /// The member of that name; nil if there is none, or if this is not an object. Setting replaces
    /// in place, appends new members, and removes with nil; a value that is not an object becomes
    /// one.
    package subscript(key: String) -> JSONValue? {
        get { members?.first { $0.hasKey(key) }?.value }
        set {
            var members = members ?? []
            let index = members.firstIndex { $0.hasKey(key) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(JSONMember(key, value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// Nil unless this is an object.
    package var members: [JSONMember]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// Nil unless this is an array.
    package var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// Nil unless this is a string.
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// Nil unless this is a boolean.
    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// Nil unless this is a number.
    package var number: JSONNumber? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// Nil unless this is a number written as an integer that fits; see `JSONNumber.int64`.
    package var int64: Int64? { number?.int64 }

    package var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }
}

/// Two values are equal when they are written the same, byte for byte.
extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        left.serialized() == right.serialized()
    }
}

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
