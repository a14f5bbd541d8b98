internal import EntitlementModel
package import StrictJSON

/// An object of an answer or a request. `members` states its shape once: the writer, the reader
/// and the description all follow it.
package protocol WireObject: WireValue {
    /// The name of its schema; unique. That of the type, without `Answer`, unless it says another.
    static var shapeName: String { get }
    /// Whether it may have members that are not listed.
    static var isOpen: Bool { get }
    /// Visits every member in the order in which they are written, and makes a value of them.
    static func members(_ visitor: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self
}

extension String {
    /// Whether it can be a member's name, and is fit to be said back.
    package var isWord: Bool {
        (1...64).contains(utf8.count)
            && utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}

/// Visits the members of a shape: to write a value, to read one, or to describe all of them.
package protocol ShapeVisitor<Root> {
    associatedtype Root

    /// A member that is always there.
    mutating func value<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value
    ) throws(ShapeError) -> Value

    /// A member that is omitted where there is no value.
    mutating func optional<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value?
    ) throws(ShapeError) -> Value?

    /// The members of another shape, in this object.
    mutating func part<Part: WireObject>(_ get: (Root) -> Part) throws(ShapeError) -> Part
}

extension ShapeVisitor {
    /// A member that is `null` where there is no value.
    mutating func nullable<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value?
    ) throws(ShapeError) -> Value? {
        try value(name) { OrNull(get($0)) }.value
    }
}

extension WireObject {
    package static var shapeName: String {
        let name = "\(Self.self)"
        let isLonger = name.hasSuffix("Answer") && name != "Answer"
        return isLonger ? String(name.dropLast("Answer".count)) : name
    }

    package static var isOpen: Bool { false }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Its members, in an object that is open.
    package func writeMembers(to writer: inout JSONWriter) {
        var visitor = WritingVisitor(self, writer)
        writer = JSONWriter(reservingCapacity: 0)
        Self.visit(&visitor)
        writer = visitor.writer
    }

    /// The object as JSON.
    package var json: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 2_048)
        write(to: &writer)
        return writer.bytes
    }

    package static func read(_ value: JSONValue) throws(ShapeError) -> Self {
        guard value.members != nil else { throw ShapeError(.type) }
        var visitor = ReadingVisitor<Self>(object: value)
        return try members(&visitor)
    }

    /// Reads a request: a member that the shape does not have is an error at any depth. A misspelt
    /// `environment` would spend in another one.
    package static func readStrictly(_ value: JSONValue) throws(ShapeError) -> Self {
        if let error = unknownMember(in: value) { throw error }
        return try read(value)
    }

    package static func unknownMember(in value: JSONValue) -> ShapeError? {
        guard !isOpen, let found = value.members else { return nil }
        var visitor = CheckingVisitor<Self>(object: value)
        _ = try? members(&visitor)
        for member in found where !visitor.names.contains(member.key) {
            // Names that are no words are not repeated.
            var error = ShapeError(.unknownMember, member: member.key.isWord ? member.key : "")
            error.didYouMean = suggestion(for: member.key, among: visitor.names)
            return error
        }
        return visitor.error
    }

    package static func schema(in schemas: inout WireSchemas) -> JSONValue {
        schemas.reference(shapeName) { schemas in
            var visitor = DescribingVisitor<Self>(schemas: schemas)
            _ = try? members(&visitor)
            schemas = visitor.schemas
            var schema: JSONValue = ["type": "object", "properties": .object(visitor.properties)]
            if !visitor.required.isEmpty { schema["required"] = .array(visitor.required) }
            if !isOpen { schema["additionalProperties"] = false }
            return schema
        }
    }

    package static var sample: Self {
        var visitor = DescribingVisitor<Self>(schemas: WireSchemas())
        return visit(&visitor)
    }

    /// For visitors that find no fault.
    @discardableResult
    fileprivate static func visit(_ visitor: inout some ShapeVisitor<Self>) -> Self {
        do throws(ShapeError) {
            return try members(&visitor)
        } catch {
            preconditionFailure("a shape is made of its own members: \(shapeName), \(error)")
        }
    }
}

private struct WritingVisitor<Root>: ShapeVisitor {
    let root: Root
    var writer: JSONWriter

    init(_ root: Root, _ writer: JSONWriter) {
        self.root = root
        self.writer = writer
    }

    mutating func value<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value
    ) -> Value {
        let value = get(root)
        writer.member(name)
        value.write(to: &writer)
        return value
    }

    mutating func optional<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value?
    ) -> Value? {
        guard let value = get(root) else { return nil }
        writer.member(name)
        value.write(to: &writer)
        return value
    }

    mutating func part<Part: WireObject>(_ get: (Root) -> Part) -> Part {
        let part = get(root)
        part.writeMembers(to: &writer)
        return part
    }
}

private struct ReadingVisitor<Root>: ShapeVisitor {
    let object: JSONValue

    mutating func value<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value
    ) throws(ShapeError) -> Value {
        guard let member = object["\(name)"] else {
            throw ShapeError(.missing, member: "\(name)")
        }
        do throws(ShapeError) {
            return try Value.read(member)
        } catch {
            throw error.within("\(name)")
        }
    }

    /// `null` counts as no member where it is not a value.
    mutating func optional<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value?
    ) throws(ShapeError) -> Value? {
        guard let member = object["\(name)"], !member.isNull || Value.takesNull else {
            return nil
        }
        do throws(ShapeError) {
            return try Value.read(member)
        } catch {
            throw error.within("\(name)")
        }
    }

    mutating func part<Part: WireObject>(_ get: (Root) -> Part) throws(ShapeError) -> Part {
        try Part.read(object)
    }
}

/// Looks for unknown members, and builds a sample.
private struct CheckingVisitor<Root>: ShapeVisitor {
    let object: JSONValue
    var names: [String] = []
    /// The fault within a member.
    var error: ShapeError?

    init(object: JSONValue) {
        self.object = object
    }

    mutating func value<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value
    ) -> Value {
        names.append("\(name)")
        if error == nil, let member = object["\(name)"] {
            error = Value.unknownMember(in: member)?.within("\(name)")
        }
        return Value.sample
    }

    mutating func optional<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value?
    ) -> Value? {
        value(name) { get($0) ?? Value.sample }
    }

    mutating func part<Part: WireObject>(_ get: (Root) -> Part) -> Part {
        var visitor = CheckingVisitor<Part>(object: object)
        // A shape that rejects a value with all members has a sample of its own.
        let part = (try? Part.members(&visitor)) ?? Part.sample
        names += visitor.names
        error = error ?? visitor.error
        return part
    }
}

private struct DescribingVisitor<Root>: ShapeVisitor {
    var schemas: WireSchemas
    var properties: [JSONMember] = []
    var required: [JSONValue] = []

    init(schemas: WireSchemas) {
        self.schemas = schemas
    }

    mutating func value<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value
    ) -> Value {
        required.append(.string("\(name)"))
        properties.append(JSONMember("\(name)", Value.schema(in: &schemas)))
        return Value.sample
    }

    mutating func optional<Value: WireValue>(
        _ name: StaticString, _ get: (Root) -> Value?
    ) -> Value? {
        properties.append(JSONMember("\(name)", Value.schema(in: &schemas)))
        return Value.sample
    }

    mutating func part<Part: WireObject>(_ get: (Root) -> Part) -> Part {
        var visitor = DescribingVisitor<Part>(schemas: schemas)
        // A shape that rejects a value with all members has a sample of its own.
        let part = (try? Part.members(&visitor)) ?? Part.sample
        schemas = visitor.schemas
        properties += visitor.properties
        required += visitor.required
        return part
    }
}
