internal import StrictJSON

/// Holds a JSON value to a schema of the description: as much of JSON Schema as that uses.
struct SchemaCheck {
    let document: JSONValue

    /// What is wrong with the value; empty where nothing is.
    func faults(of value: JSONValue, against schema: JSONValue, at place: String = "") -> [String] {
        if let reference = schema["$ref"]?.string {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            guard let named = document["components"]?["schemas"]?[name] else {
                return ["\(place): no schema \(name)"]
            }
            return faults(of: value, against: named, at: place)
        }
        if let choices = schema["oneOf"]?.elements {
            let results = choices.map { faults(of: value, against: $0, at: place) }
            if results.filter(\.isEmpty).count == 1 { return [] }
            return ["\(place): fits not one of \(choices.count)"] + results.joined()
        }
        guard let type = schema["type"]?.string, type == Self.type(of: value) else {
            return ["\(place): is a \(Self.type(of: value))"]
        }
        if let words = schema["enum"]?.elements, !words.contains(value) {
            return ["\(place): '\(value.text)' is not one of the words"]
        }
        if let text = value.string, !Self.isWithin(schema, text) {
            return ["\(place): is too short or too long"]
        }
        return memberFaults(of: value, against: schema, at: place)
            + elementFaults(of: value, against: schema, at: place)
    }

    private static func isWithin(_ schema: JSONValue, _ text: String) -> Bool {
        let count = Int64(text.unicodeScalars.count)
        return count >= schema["minLength"]?.int64 ?? 0
            && count <= schema["maxLength"]?.int64 ?? .max
    }

    private func memberFaults(
        of value: JSONValue, against schema: JSONValue, at place: String
    ) -> [String] {
        guard let members = value.members else { return [] }
        let required = schema["required"]?.elements?.compactMap(\.string) ?? []
        var faults = required.filter { value[$0] == nil }.map { "\(place): lacks '\($0)'" }
        for member in members {
            let inner = "\(place)/\(member.key)"
            if let property = schema["properties"]?[member.key] {
                faults += self.faults(of: member.value, against: property, at: inner)
            } else if schema["additionalProperties"] == false {
                faults.append("\(inner): is not described")
            }
        }
        return faults
    }

    private func elementFaults(
        of value: JSONValue, against schema: JSONValue, at place: String
    ) -> [String] {
        guard let elements = value.elements, let item = schema["items"] else { return [] }
        return elements.enumerated().flatMap { index, element in
            faults(of: element, against: item, at: "\(place)/\(index)")
        }
    }

    private static func type(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number(let number): number.int64 == nil ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
