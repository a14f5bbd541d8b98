/// JSON that is written, never read. Members keep the order in which they are given.
indirect enum JSONText: Sendable {
    case object([(String, JSONText)])
    case array([JSONText])
    case string(String)
    case number(Int64)
    case boolean(Bool)

    /// With two spaces of indentation; small arrays of texts and numbers on one line.
    func rendered() -> String {
        var text = ""
        write(to: &text, indent: "")
        return text
    }

    private func write(to text: inout String, indent: String) {
        switch self {
        case .string(let string): JSONText.write(string, to: &text)
        case .number(let number): text += String(number)
        case .boolean(let boolean): text += boolean ? "true" : "false"
        case .array(let elements): write(elements, to: &text, indent: indent)
        case .object(let members):
            guard !members.isEmpty else {
                text += "{}"
                return
            }
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "{\n" : ",\n") + indent + "  "
                JSONText.write(member.0, to: &text)
                text += ": "
                member.1.write(to: &text, indent: indent + "  ")
            }
            text += "\n" + indent + "}"
        }
    }

    private func write(_ elements: [JSONText], to text: inout String, indent: String) {
        let isSmall = elements.allSatisfy(\.isPlain)
        text += "["
        for (index, element) in elements.enumerated() {
            if index > 0 { text += isSmall ? ", " : "," }
            if !isSmall { text += "\n" + indent + "  " }
            element.write(to: &text, indent: indent + "  ")
        }
        if !isSmall { text += "\n" + indent }
        text += "]"
    }

    private var isPlain: Bool {
        switch self {
        case .string, .number, .boolean: true
        case .object, .array: false
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                text += "\\u" + String(scalar.value, radix: 16).leftPadded(to: 4, "0")
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension String {
    /// Filled up on the left to a width in characters.
    func leftPadded(to width: Int, _ filler: Character) -> String {
        String(repeating: filler, count: max(0, width - count)) + self
    }
}
