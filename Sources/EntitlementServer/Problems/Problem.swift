package import EntitlementAnswers
internal import EntitlementEngine
package import EntitlementModel

/// Why a request is not answered as asked, as RFC 9457 problem details (spec 3.1).
package struct Problem: Error, Equatable, Sendable {
    package var code: ProblemCode
    /// The member, parameter or header that is at fault, such as `subject.id`.
    package var field: String?
    /// The name that was probably meant.
    package var didYouMean: String?
    /// The code of preflight that forbids a purchase.
    var preflight: String?
    /// What could happen to an order instead.
    var legal: [String]?
    /// The credit of which there is too little, or that must not be spent.
    var credit: CreditName?
    /// The balance there is.
    var balance: Int128?
    /// The digest of the first call with this idempotency key.
    var first: Digest256?
    /// How many accounts would lose something by a policy.
    var losing: Int64?
    /// The policy that it was compared with.
    var replaces: Digest256?
    /// The account that has what the named one had.
    var mergedInto: AccountID?
    /// The decision that would have to be undone first.
    var decision: LedgerSequence?
    /// What was recorded since the revision that the call named.
    var changed: [ChangedEntry]?
    /// The bounds of the value.
    var bound: Bound?
    /// A name that the policy does not have.
    var unknownName: String?
    /// The newest entry.
    var newest: LedgerSequence?
    /// For what an account was erased before, or waits for that, and the entry that says so.
    var reference: ErasureReference?
    var erasure: LedgerSequence?

    package init(_ code: ProblemCode, field: String? = nil, didYouMean: String? = nil) {
        self.code = code
        self.field = field
        self.didYouMean = didYouMean
    }

    /// A request that does not have the shape that it should have.
    init(_ error: ShapeError) {
        let code: ProblemCode =
            switch error.fault {
            case .missing: .missing
            case .type: .type
            case .number: .number
            case .value: .value
            case .instant: .instant
            case .id: .id
            case .appleID: .appleIDMalformed
            case .unknownMember: .unknownMember
            }
        self.init(
            code, field: error.member.isEmpty ? nil : error.member, didYouMean: error.didYouMean)
    }

    /// Why the engine failed; some failures are transient.
    init(_ error: EngineError) {
        if case .unknownEntitlement(let nearest) = error {
            self.init(.unknownEntitlement, field: "entitlement", didYouMean: nearest?.text)
        } else if case .otherFeed = error {
            self.init(.otherFeed, field: "after")
        } else if case .futureChange = error {
            self.init(.futureChange, field: "after")
        } else if case .assumption(let fault, let number) = error {
            self.init(fault.code, field: "assume.\(number)")
        } else if case .futureKnowledge(let head, _) = error {
            self.init(.futureKnowledge)
            newest = head
        } else if case .accountErased(let erasure) = error {
            self.init(.accountErased)
            newest = erasure
        } else if case .accountMaybeErased = error {
            self.init(.accountMaybeErased)
        } else if case .changedSince(let entries) = error {
            self.init(.changedSince, field: QueryParameter.ifRevision.name)
            changed = entries
        } else if error.isLedgerReplaced {
            self.init(.ledgerReplaced)
        } else if error.isDiskFull {
            self.init(.diskFull)
        } else if let code = ProblemCode.ofFleet(error) {
            self.init(code)
        } else {
            self.init(error.isTransient ? .overloaded : .unavailable)
        }
    }

    private func detail(in language: Language) -> String {
        guard let bound else { return code.template(in: language) }
        return bound.phrase.text(
            language, "\(bound.range.lowerBound)", "\(bound.range.upperBound)")
    }

    func answer(in language: Language) -> ProblemAnswer {
        ProblemAnswer(
            title: "\(code.status.phrase)", status: Int64(code.status.rawValue),
            code: code.rawValue, detail: detail(in: language), field: field,
            didYouMean: didYouMean, preflight: preflight, legal: legal, credit: credit,
            balance: balance, first: first, losing: losing, replaces: replaces,
            mergedInto: mergedInto, decision: decision, newest: newest, changed: changed
        ).about(erasure, for: reference)
    }

    /// Appends it as a JSON object.
    package func append(to bytes: inout [UInt8], language: Language) {
        bytes += answer(in: language).json
    }
}

/// The name of a bounded value.
enum BoundPhrase: String, ServerText, Wording {
    case number = "the value must be at least {0} and at most {1}"
    case elements = "the list must have at most {1} elements"
}

/// The bounds of a value that is beyond them.
struct Bound: Equatable, Sendable {
    var phrase: BoundPhrase
    var range: ClosedRange<Int64>
}

extension Language {
    /// Reads `Accept-Language`: the language whose tag weighs most, of several the first; English
    /// where none is known. Weights that cannot be read count as nothing.
    package init(acceptLanguage value: Range<Int>?, in bytes: Span<UInt8>) {
        self = .english
        guard let value else { return }
        var best = 0
        var found = Language.english
        bytes.listElements(in: value) { element in
            let semicolon = bytes.firstIndex(of: ASCII.semicolon, in: element)
            let tag = element.lowerBound..<(semicolon ?? element.upperBound)
            guard let language = Self.language(ofTag: tag, in: bytes) else { return }
            let weight = semicolon.map {
                Self.thousandths(ofWeight: ($0 + 1)..<element.upperBound, in: bytes)
            }
            if weight ?? 1_000 > best {
                best = weight ?? 1_000
                found = language
            }
        }
        self = found
    }

    private static func language(
        ofTag tag: Range<Int>, in bytes: Span<UInt8>
    ) -> Language? {
        let primary = bytes.firstIndex(of: UInt8(ascii: "-"), in: tag) ?? tag.upperBound
        let subtag = bytes.trimmed(tag.lowerBound..<primary)
        return allCases.first { bytes.equalsIgnoringCase($0.subtag, in: subtag) }
    }

    /// `q=0.8` as 800.
    private static func thousandths(ofWeight range: Range<Int>, in bytes: Span<UInt8>) -> Int {
        let weight = bytes.trimmed(range)
        guard weight.count >= 3, weight.count <= 7,
            bytes.equalsIgnoringCase("q=", in: weight.lowerBound..<(weight.lowerBound + 2))
        else { return 0 }
        var value = 0
        var scale = 1_000
        for index in (weight.lowerBound + 2)..<weight.upperBound {
            if bytes[index] == UInt8(ascii: ".") { continue }
            guard ASCII.digits.contains(bytes[index]) else { return 0 }
            value += Int(bytes[index] - UInt8(ascii: "0")) * scale
            scale /= 10
        }
        return value
    }
}

extension ProblemCode {
    /// What keeps a node of a fleet from writing or answering; nil for anything else.
    fileprivate static func ofFleet(_ error: EngineError) -> ProblemCode? {
        let codes: [ProblemCode] = [
            .notLeader, .databaseUnreachable, .outcomeUnknown, .policyUnreadable,
        ]
        return codes.first { $0.rawValue == error.code }
    }
}
