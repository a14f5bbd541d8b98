package import StrictJSON

/// A value that an answer or a request can contain: how it is written, read and described.
package protocol WireValue: Sendable {
    func write(to writer: inout JSONWriter)
    /// - Throws: `ShapeError` without a member name; the object that contains the value adds it.
    static func read(_ value: JSONValue) throws(ShapeError) -> Self
    /// The JSON schema: in place, or a reference to one that is added to `schemas`.
    static func schema(in schemas: inout WireSchemas) -> JSONValue
    /// Any value of the type: what a shape is described with.
    static var sample: Self { get }
    /// Whether `null` is a value of the type.
    static var takesNull: Bool { get }
    /// The first member in it, at any depth, that the shape does not have.
    static func unknownMember(in value: JSONValue) -> ShapeError?
}

extension WireValue {
    package static var takesNull: Bool { false }
    package static func unknownMember(in value: JSONValue) -> ShapeError? { nil }
}

/// Why a JSON value does not have the shape that it should have.
package struct ShapeError: Error, Hashable, Sendable {
    package enum Fault: Hashable, Sendable {
        case missing
        /// Of another JSON type.
        case type
        /// Not an integer.
        case number
        /// Not one of the words, or not in the form that is asked for.
        case value
        /// Not an RFC 3339 date.
        case instant
        /// Not an identifier.
        case id
        /// Not a key of an Apple ID.
        case appleID
        /// A member that the shape does not have.
        case unknownMember
    }

    package var fault: Fault
    /// From the outside in, as `price.currency` or `credits[0].amount`; empty for the value itself.
    package var member: String
    /// The member that was probably meant.
    package var didYouMean: String?

    package init(_ fault: Fault, member: String = "") {
        self.fault = fault
        self.member = member
    }

    func within(_ name: String) -> ShapeError {
        var outer = self
        let joint = member.isEmpty || member.hasPrefix("[") ? "" : "."
        outer.member = name + joint + member
        return outer
    }

    func within(_ index: Int) -> ShapeError { within("[\(index)]") }
}

/// The named schemas of a description, in the order in which they are first needed.
package struct WireSchemas: Sendable {
    package private(set) var named: JSONValue = [:]

    package init() {}

    /// A reference to the schema of that name, which is made once.
    package mutating func reference(
        _ name: String, _ make: (inout WireSchemas) -> JSONValue
    ) -> JSONValue {
        if named[name] == nil {
            // Its place is taken before the schemas that it needs.
            named[name] = .null
            named[name] = make(&self)
        }
        return ["$ref": .string("#/components/schemas/" + name)]
    }
}

/// A value, or `null`.
package struct OrNull<Value: WireValue>: WireValue {
    package var value: Value?

    package init(_ value: Value?) {
        self.value = value
    }

    package func write(to writer: inout JSONWriter) {
        if let value { value.write(to: &writer) } else { writer.null() }
    }

    package static func read(_ value: JSONValue) throws(ShapeError) -> OrNull {
        value.isNull ? OrNull(nil) : OrNull(try Value.read(value))
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue {
        ["oneOf": [Value.schema(in: &schemas), ["type": "null"]]]
    }

    package static var sample: OrNull { OrNull(nil) }
    package static var takesNull: Bool { true }

    package static func unknownMember(in value: JSONValue) -> ShapeError? {
        Value.unknownMember(in: value)
    }
}

extension OrNull: Equatable where Value: Equatable {}
extension OrNull: Hashable where Value: Hashable {}

extension Array: WireValue where Element: WireValue {
    package func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.endArray()
    }

    package static func read(_ value: JSONValue) throws(ShapeError) -> [Element] {
        guard let elements = value.elements else { throw ShapeError(.type) }
        var read: [Element] = []
        read.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(ShapeError) {
                read.append(try Element.read(element))
            } catch {
                throw error.within(index)
            }
        }
        return read
    }

    package static func unknownMember(in value: JSONValue) -> ShapeError? {
        for (index, element) in (value.elements ?? []).enumerated() {
            if let error = Element.unknownMember(in: element) { return error.within(index) }
        }
        return nil
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue {
        ["type": "array", "items": Element.schema(in: &schemas)]
    }

    package static var sample: [Element] { [] }
}

/// A list that was written already, from elements kept in another form.
package struct WrittenList<Element: WireValue>: WireValue {
    package var json: [UInt8]

    package init(json: [UInt8]) {
        self.json = json
    }

    package func write(to writer: inout JSONWriter) { writer.raw(json) }

    package static func read(_ value: JSONValue) throws(ShapeError) -> WrittenList {
        _ = try [Element].read(value)
        return WrittenList(json: value.serialized())
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue {
        [Element].schema(in: &schemas)
    }

    package static var sample: WrittenList { WrittenList(json: Array("[]".utf8)) }
}
