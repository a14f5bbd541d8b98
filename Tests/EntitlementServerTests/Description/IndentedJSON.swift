internal import StrictJSON

extension JSONValue {
    /// For people to read.
    func indented(_ margin: String = "") -> String {
        let inner = margin + "  "
        switch self {
        case .object(let members) where !members.isEmpty:
            let lines = members.map {
                inner + JSONValue.string($0.key).text + ": " + $0.value.indented(inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + margin + "}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + $0.indented(inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + margin + "]"
        default: return text
        }
    }
}
