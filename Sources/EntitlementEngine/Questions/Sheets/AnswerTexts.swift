internal import EntitlementModel

/// The JSON texts that the answers of one policy share: rules, products, and the policy's name.
///
/// Immutable: where a new text is needed, `AnswerTextTable` makes a larger one that begins with
/// the same texts, and what refers to the smaller one keeps it.
final class AnswerTexts: Sendable {
    /// What was interned, by when it was.
    struct Place: Equatable, Sendable {
        fileprivate let number: UInt32
    }

    let policy: Digest256
    /// The same, as JSON has it.
    let policyText: [UInt8]
    /// The policy's entitlements, sorted: what a listing shows even where nothing is granted.
    let entitlements: [EntitlementName]
    private let bytes: [UInt8]
    /// One more than there are texts.
    private let starts: [Int]

    fileprivate init(
        policy: Digest256, policyText: [UInt8], entitlements: [EntitlementName], bytes: [UInt8],
        starts: [Int]
    ) {
        self.policy = policy
        self.policyText = policyText
        self.entitlements = entitlements
        self.bytes = bytes
        self.starts = starts
    }

    func append(_ place: Place, to writer: inout AnswerWriter) {
        let number = Int(place.number)
        writer.append(raw: bytes, starts[number]..<starts[number + 1])
    }
}

/// Gives each rule and each product of a policy's answers its place.
struct AnswerTextTable {
    private let policy: Digest256
    private let policyText: [UInt8]
    private let entitlements: [EntitlementName]
    private var rules: [RuleReference: AnswerTexts.Place] = [:]
    private var products: [ProductID: AnswerTexts.Place] = [:]
    private var bytes: [UInt8] = []
    private var starts = [0]
    private var made: AnswerTexts?

    init(_ policy: Policy) {
        entitlements = policy.entitlements.keys.sorted()
        var writer = AnswerWriter()
        writer.append("\"" as StaticString)
        writer.appendHexadecimal(policy.digest)
        writer.append("\"" as StaticString)
        self.policy = policy.digest
        policyText = writer.bytes
    }

    mutating func place(of rule: RuleReference) -> AnswerTexts.Place {
        if let known = rules[rule] { return known }
        let place = intern { $0.append(rule) }
        rules[rule] = place
        return place
    }

    mutating func place(of product: ProductID) -> AnswerTexts.Place {
        if let known = products[product] { return known }
        let place = intern { $0.appendText(product.text) }
        products[product] = place
        return place
    }

    /// All texts so far.
    mutating func texts() -> AnswerTexts {
        if let made { return made }
        let texts = AnswerTexts(
            policy: policy, policyText: policyText, entitlements: entitlements, bytes: bytes,
            starts: starts)
        made = texts
        return texts
    }

    private mutating func intern(
        _ write: (inout AnswerWriter) -> Void
    ) -> AnswerTexts.Place {
        var writer = AnswerWriter()
        write(&writer)
        bytes += writer.bytes
        starts.append(bytes.count)
        made = nil
        return AnswerTexts.Place(number: UInt32(starts.count - 2))
    }
}
