/// Documents for people: laid out in lines.
extension JSONValue {
    /// The document with two spaces of indentation; arrays without arrays and objects in them on
    /// one line. It has no line end.
    package var laidOut: String {
        var bytes: [UInt8] = []
        append(to: &bytes, indent: "")
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(to bytes: inout [UInt8], indent: String) {
        switch self {
        case .object(let members) where !members.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                bytes += (index == 0 ? "\n" : ",\n").utf8
                bytes += (indent + "  ").utf8
                bytes.appendJSONString(member.key)
                bytes += ": ".utf8
                member.value.append(to: &bytes, indent: indent + "  ")
            }
            bytes += ("\n" + indent + "}").utf8
        case .array(let elements): append(elements, to: &bytes, indent: indent)
        case .null, .bool, .number, .string, .object: bytes += serialized()
        }
    }

    private func append(_ elements: [JSONValue], to bytes: inout [UInt8], indent: String) {
        let isShort = elements.allSatisfy { $0.elements == nil && $0.members == nil }
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes += (isShort ? ", " : ",").utf8 }
            if !isShort { bytes += ("\n" + indent + "  ").utf8 }
            element.append(to: &bytes, indent: indent + "  ")
        }
        if !isShort { bytes += ("\n" + indent).utf8 }
        bytes.append(UInt8(ascii: "]"))
    }
}
