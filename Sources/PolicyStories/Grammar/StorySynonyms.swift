internal import EntitlementModel
internal import StoreSimulator

/// Words that authors write for a verb of the grammar. They are not understood, so that a story has
/// one way to say a thing; but the message names the sentence that was meant.
struct StorySynonym: Sendable {
    let words: Set<String>
    let verb: String
    /// One of these is in the sentence as well, or it says something else.
    let near: Set<String>

    init(_ verb: String, _ words: String, near: String = "") {
        self.verb = verb
        self.words = Set(words.split(separator: " ").map(String.init))
        self.near = Set(near.split(separator: " ").map(String.init))
    }
}

extension StorySynonym {
    /// The sentences that were probably meant, as they are written; the nearest one first.
    ///
    /// - Parameter place: where the sentence stops being understood, in Unicode scalars.
    static func meant(in text: String, at place: Int) -> [String] {
        chinese(in: text, at: place) ?? english(in: text, at: place) ?? []
    }

    /// How many words from the one that is not understood on may be the verb: `has bought`.
    private static let reach = 3

    /// Words that stand before a verb; they are one themselves where there is no other.
    private static let auxiliaries: Set<String> = ["has", "have", "had", "is", "was", "does"]

    private static func english(in text: String, at place: Int) -> [String]? {
        let tokens = sentenceTokens(text)
        let words = tokens.map { $0.isQuoted ? "" : $0.text.lowercased() }
        let first = tokens.firstIndex { $0.range.lowerBound >= place } ?? tokens.count
        let ahead = words[first...].prefix(reach)
        let verbs =
            ahead.filter { !auxiliaries.contains($0) }
            + words[..<first].suffix(2).reversed().filter { !auxiliaries.contains($0) }
            + ahead.filter(auxiliaries.contains)
        let isExpectation = words.first?.hasPrefix("expect") == true
        let known = english.filter { !isExpectation || $0.verb.hasPrefix("expect") }
        // A number stands for all of them.
        let all = Set(words.map { Int64($0) == nil ? $0 : "5" })
        // What is said together with another word says it better.
        for isNear in [true, false] {
            for word in verbs {
                let found = known.filter {
                    $0.words.contains(word)
                        && (isNear ? !$0.near.isDisjoint(with: all) : $0.near.isEmpty)
                }
                if !found.isEmpty { return found.compactMap { pattern(of: $0.verb, in: .english) } }
            }
        }
        return nil
    }

    /// Characters before the one that is not understood may belong to the verb.
    private static func chinese(in text: String, at place: Int) -> [String]? {
        let rest = Array(text.unicodeScalars.dropFirst(max(0, place - 2)))
        for start in rest.indices {
            let part = rest[start...]
            let found = chinese.flatMap { synonym in
                synonym.words.filter { part.starts(with: Array($0.unicodeScalars)) }
                    .map { (length: $0.unicodeScalars.count, verb: synonym.verb) }
            }
            if let longest = found.max(by: { $0.length < $1.length }) {
                return pattern(of: longest.verb, in: .chinese).map { [$0] }
            }
        }
        return nil
    }

    private static func pattern(of verb: String, in language: Language) -> String? {
        storyTable[verb]?.patterns(in: language).first?.shortest
    }
}
