internal import EntitlementModel
internal import PolicyAnalysis
internal import Synchronization

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
    /// The index of an interned text, in the order of interning.
    typealias Place = UInt32

    let policy: Digest256
    /// How many policies had been activated in the ledger.
    let epoch: Int
    private let contents: Contents

    fileprivate struct Contents {
        /// Entitlements by number: the policy's, and those that only packed accounts name.
        var names: [EntitlementName]
        /// Their bytes, by number.
        var nameBytes = PreparedTexts()
        /// The policy's, sorted, and their numbers.
        var listed: [EntitlementName]
        var listedNumbers: [Int]
        var texts = PreparedTexts()
        /// What stands at each place; two rules of earlier policies may be written alike.
        var standing: [AnswerText] = []
        /// The first place of each.
        var places: [AnswerText: Place] = [:]
        /// By `PackedVerdict.State`.
        let states: PreparedTexts
    }

    /// All that the policy is known to need, so that growing stays rare.
    convenience init(_ policy: Policy, epoch: Int) {
        var contents = Contents(states: PackedVerdict.State.texts())
        contents.intern(.rule(RightVerdict.nothing.rule), policy.digest)
        contents.add(policy)
        self.init(policy: policy.digest, epoch: epoch, contents: contents)
    }

    private init(policy: Digest256, epoch: Int, contents: Contents) {
        self.policy = policy
        self.epoch = epoch
        self.contents = contents
    }

    /// The texts of the policy after this one, in which all places and numbers still hold.
    ///
    /// - Parameter names: which rule is written in the place of which.
    func continued(by policy: Policy, _ names: RuleCorrespondence) -> AnswerTexts {
        var next = Contents(states: contents.states)
        next.names = contents.names
        next.nameBytes = contents.nameBytes
        for text in contents.standing {
            if case .rule(let rule) = text, let successor = names.successor(of: rule) {
                next.append(.rule(successor), policy.digest)
            } else {
                next.append(text, policy.digest)
            }
        }
        next.add(policy)
        return AnswerTexts(policy: policy.digest, epoch: epoch + 1, contents: next)
    }

    /// Whether `other` begins with the same texts and names.
    func isPart(of other: AnswerTexts) -> Bool {
        epoch == other.epoch && contents.texts.count <= other.contents.texts.count
            && contents.names.count <= other.contents.names.count
    }

    /// The rule of what nothing gives.
    static let nothing: Place = 0

    /// The policy's entitlements: what a listing shows even where nothing is granted.
    var entitlements: [EntitlementName] { contents.listed }

    func place(of text: AnswerText) -> Place? { contents.places[text] }

    func number(of name: EntitlementName) -> UInt32? {
        contents.names.firstIndex(of: name).map(UInt32.init)
    }

    func isName(_ number: UInt32, _ name: EntitlementName) -> Bool {
        contents.names[Int(number)] == name
    }

    /// Whether the policy has an entitlement of that name. There are few.
    func lists(_ name: Span<UInt8>) -> Bool {
        contents.listedNumbers.contains { contents.nameBytes.isText($0, name) }
    }

    func isName(_ number: UInt32, _ name: Span<UInt8>) -> Bool {
        contents.nameBytes.isText(Int(number), name)
    }

    /// The same texts and one more.
    func adding(_ text: AnswerText) -> AnswerTexts {
        var contents = contents
        contents.intern(text, policy)
        return AnswerTexts(policy: policy, epoch: epoch, contents: contents)
    }

    /// The same texts and one more name.
    func adding(_ name: EntitlementName) -> AnswerTexts {
        var contents = contents
        _ = contents.number(of: name)
        return AnswerTexts(policy: policy, epoch: epoch, contents: contents)
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
    init(states: PreparedTexts) {
        self.init(names: [], listed: [], listedNumbers: [], states: states)
    }

    /// What the policy names and is known to need, behind what is there.
    mutating func add(_ policy: Policy) {
        listed = policy.entitlements.keys.sorted()
        listedNumbers = listed.map { number(of: $0) }
        for rule in policy.decidingRules { intern(.rule(rule.reference), policy.digest) }
        for right in policy.openRights { intern(.rule(right.reference), policy.digest) }
        for id in policy.products.keys.sorted() { intern(.product(id), policy.digest) }
    }

    mutating func number(of name: EntitlementName) -> Int {
        if let known = names.firstIndex(of: name) { return known }
        names.append(name)
        nameBytes.add { $0.append(name.text) }
        return names.count - 1
    }

    mutating func intern(_ text: AnswerText, _ policy: Digest256) {
        if places[text] == nil { append(text, policy) }
    }

    /// Adds the text at the next place.
    mutating func append(_ text: AnswerText, _ policy: Digest256) {
        places[text] = places[text] ?? UInt32(texts.count)
        standing.append(text)
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

/// Texts by number, one after the other in one run of bytes.
struct PreparedTexts: Sendable {
    private var bytes: [UInt8] = []
    /// One more than there are texts.
    private var starts = [0]

    var count: Int { starts.count - 1 }

    /// Adds what `write` writes, with the next number.
    mutating func add(_ write: (inout AnswerWriter) -> Void) {
        var writer = AnswerWriter(continuing: bytes)
        bytes = []
        write(&writer)
        bytes = writer.bytes
        starts.append(bytes.count)
    }

    /// Whether the text of that number is `bytes`.
    func isText(_ number: Int, _ bytes: Span<UInt8>) -> Bool {
        self.bytes.span.extracting(starts[number]..<starts[number + 1]).isSame(as: bytes)
    }

    func byteCount(_ number: Int) -> Int { starts[number + 1] - starts[number] }

    func append(_ number: Int, to output: inout OutputSpan<UInt8>) {
        output.append(run: bytes.span.extracting(starts[number]..<starts[number + 1]))
    }
}

/// The texts that all packed accounts made under one policy share, grown where one is missing.
final class SharedAnswerTexts: Sendable {
    /// Those of the policy before, where these continue them.
    private let before: AnswerTexts?
    private let first: AnswerTexts
    private let newest: Mutex<AnswerTexts>

    /// - Parameter epoch: how many policies had been activated in the ledger.
    init(_ policy: Policy, epoch: Int) {
        first = AnswerTexts(policy, epoch: epoch)
        before = nil
        newest = Mutex(first)
    }

    /// The texts of the policy after the one of `before`.
    init(_ policy: Policy, continuing before: AnswerTexts, _ names: RuleCorrespondence) {
        first = before.continued(by: policy, names)
        self.before = before
        newest = Mutex(first)
    }

    /// How many policies had been activated in the ledger.
    var epoch: Int { first.epoch }

    /// What the policy before gave an account that is answered alike, by the name of this one; nil
    /// where these texts do not continue its texts.
    func renewed(_ packed: PackedAccount) -> PackedAccount? {
        guard let before, packed.rights.texts.isPart(of: before) else { return nil }
        return packed.with(first)
    }

    var current: AnswerTexts { newest.withLock { $0 } }

    /// Texts that have `text`.
    func current(with text: AnswerText) -> AnswerTexts {
        newest.withLock { texts in
            if texts.place(of: text) == nil { texts = texts.adding(text) }
            return texts
        }
    }

    /// Texts that have `name`.
    func current(with name: EntitlementName) -> AnswerTexts {
        newest.withLock { texts in
            if texts.number(of: name) == nil { texts = texts.adding(name) }
            return texts
        }
    }

    /// Packs timelines.
    ///
    /// - Parameter owner: the account's name; empty for the rights of an Apple ID.
    func packed(of rights: [RightKey: RightTimeline], owner: String = "") -> PackedRights {
        var packing = PackedRightsWriter(texts: self)
        for (key, timeline) in rights.sorted(by: { $0.key.precedes($1.key) }) {
            packing.add(timeline, as: key)
        }
        return packing.packed(owner: owner)
    }
}

extension RightKey {
    fileprivate func precedes(_ other: RightKey) -> Bool {
        environment == other.environment
            ? entitlement < other.entitlement
            : environment.number < other.environment.number
    }
}
