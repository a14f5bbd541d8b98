internal import EntitlementModel

/// Something that the answers of one policy have in common.
enum AnswerText: Hashable {
    case rule(RuleReference)
    case product(ProductID)
}

/// The JSON texts that the answers of one policy share, each with the fixed text around it, so
/// that an answer is a few runs of bytes copied one after the other.
///
/// Immutable: where a text is missing, a larger one is made that begins with the same texts
/// (`adding`), and what refers to the smaller one keeps it.
final class AnswerTexts: Sendable {
    /// What was interned, by when it was.
    typealias Place = UInt32

    let policy: Digest256
    private let contents: Contents

    fileprivate struct Contents {
        /// The policy's entitlements, sorted, and behind them those that only packed accounts name.
        var names: [EntitlementName]
        /// Their bytes, by number.
        var nameBytes = PreparedTexts()
        /// How many of the names are the policy's.
        let listed: Int
        var texts = PreparedTexts()
        var places: [AnswerText: Place] = [:]
        /// By `PackedVerdict.State`.
        let states: PreparedTexts
    }

    /// All that the policy is known to need, so that growing stays rare.
    init(_ policy: Policy) {
        self.policy = policy.digest
        let names = policy.entitlements.keys.sorted()
        var contents = Contents(
            names: names, listed: names.count, states: PackedVerdict.State.texts())
        for name in names { contents.nameBytes.add { $0.append(name.text) } }
        contents.intern(.rule(RightVerdict.nothing.rule), policy.digest)
        for rule in policy.accessRules { contents.intern(.rule(rule.reference), policy.digest) }
        for id in policy.products.keys.sorted() { contents.intern(.product(id), policy.digest) }
        self.contents = contents
    }

    private init(policy: Digest256, contents: Contents) {
        self.policy = policy
        self.contents = contents
    }

    /// The rule of what nothing gives.
    static let nothing: Place = 0

    /// The policy's entitlements: what a listing shows even where nothing is granted.
    var entitlements: ArraySlice<EntitlementName> { contents.names.prefix(contents.listed) }

    func place(of text: AnswerText) -> Place? { contents.places[text] }

    func number(of name: EntitlementName) -> UInt32? {
        contents.names.firstIndex(of: name).map(UInt32.init)
    }

    func isName(_ number: UInt32, _ name: EntitlementName) -> Bool {
        contents.names[Int(number)] == name
    }

    /// Whether the policy has an entitlement of that name. There are few.
    func lists(_ name: Span<UInt8>) -> Bool {
        (0..<contents.listed).contains { contents.nameBytes.isText($0, name) }
    }

    func isName(_ number: UInt32, _ name: Span<UInt8>) -> Bool {
        contents.nameBytes.isText(Int(number), name)
    }

    /// The same texts and one more.
    func adding(_ text: AnswerText) -> AnswerTexts {
        var contents = contents
        contents.intern(text, policy)
        return AnswerTexts(policy: policy, contents: contents)
    }

    /// The same texts and one more name.
    func adding(_ name: EntitlementName) -> AnswerTexts {
        var contents = contents
        contents.names.append(name)
        contents.nameBytes.add { $0.append(name.text) }
        return AnswerTexts(policy: policy, contents: contents)
    }
}

extension AnswerTexts {
    /// How many bytes the texts of an answer have together.
    func byteCount(of verdict: PackedVerdict) -> Int {
        contents.states.byteCount(Int(verdict.state.number))
            + contents.texts.byteCount(Int(verdict.product))
            + contents.texts.byteCount(Int(verdict.rule))
    }

    /// `{"product":"…","transaction":` or `,"rule":{…},"policy":"…","revision":`.
    func append(_ place: Place, to output: inout OutputSpan<UInt8>) {
        contents.texts.append(Int(place), to: &output)
    }

    /// `,"state":"…","until":`, with the reason between them where there is one.
    func append(_ state: PackedVerdict.State, to output: inout OutputSpan<UInt8>) {
        contents.states.append(Int(state.number), to: &output)
    }
}

extension AnswerTexts.Contents {
    mutating func intern(_ text: AnswerText, _ policy: Digest256) {
        guard places[text] == nil else { return }
        places[text] = UInt32(texts.count)
        texts.add { writer in
            switch text {
            case .product(let product):
                writer.append("{\"product\":" as StaticString)
                writer.appendText(product.text)
                writer.append(",\"transaction\":" as StaticString)
            case .rule(let rule):
                writer.append(",\"rule\":" as StaticString)
                writer.append(rule)
                writer.append(",\"policy\":\"" as StaticString)
                writer.append(policy.hexadecimal)
                writer.append("\",\"revision\":" as StaticString)
            }
        }
    }
}
