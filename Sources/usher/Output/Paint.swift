/// Colours for a terminal that wants them; nothing for a pipe.
struct Paint {
    /// What a colour says.
    enum Tone: String {
        case good = "32"
        case bad = "31"
        case care = "33"
        case strong = "1"
        case faint = "2"
    }

    let isOn: Bool

    func callAsFunction(_ text: String, _ tone: Tone) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }
}
