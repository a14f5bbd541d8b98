internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Sentences

/// One question of AuthZEN: may this subject do this to that? (spec 3.1)
struct Evaluation: Equatable {
    enum Subject: Equatable {
        case account(AccountID)
        case appleID(AppleIDKey)
    }

    /// The resource, as far as its type is known.
    enum Matter: Equatable {
        /// Subject `account` or `apple-id`, action `use`, resource `entitlement`.
        case use(EntitlementName, by: Subject)
        /// Subject `account`, action `purchase`, resource `product`: preflight (spec 1.8).
        case purchase(ProductID, by: AccountID)
        /// Subject `account`, action `spend`, resource `credit`: whether the balance is enough.
        /// Nothing is spent.
        case spend(CreditName, amount: Int64, by: AccountID)
        /// An unknown word: nobody is permitted to do it.
        case unknown(UnknownWord)
    }

    /// The word that is not known, as answers name it.
    enum UnknownWord: String, Equatable {
        case subjectType = "unknown-subject-type"
        case action = "unknown-action"
        case resourceType = "unknown-resource-type"
        /// No policy of this ledger ever named it.
        case entitlement = "unknown-entitlement"
        /// The same.
        case credit = "unknown-credit"
    }

    /// A kind of resource, with the one action that it knows.
    enum ResourceType: String, CaseIterable {
        case entitlement
        case product
        case credit

        var action: String {
            switch self {
            case .entitlement: "use"
            case .product: "purchase"
            case .credit: "spend"
            }
        }
    }

    var matter: Matter
    /// `context.at`; nil for now.
    var instant: Instant?
    /// `context.environment`.
    var environment = StoreEnvironment.production
    /// `context.apple_id`: any key of an Apple ID. For a purchase it is the device's; a right of
    /// an account counts as far as it came through it.
    var appleID: AppleIDKey?
    /// `context.min_revision`: what the caller has seen already.
    var minimumRevision = LedgerSequence.zero
    /// `context.known_at` or `context.revision`: what was known; nil for all that is.
    var known: KnownMoment?
    /// `context.assume`: what has not happened, and is assumed to have.
    var assumptions: [Assumption] = []
    /// `context.fresh`: nothing older than what the fleet's database has is an answer.
    var isFresh = false

    /// The account that has to be looked up; nil if none has, or only what came through an Apple
    /// ID.
    var account: AccountID? {
        guard appleID == nil, known == nil, assumptions.isEmpty else { return nil }
        return switch matter {
        case .use(_, .account(let account)), .spend(_, _, let account): account
        case .use(_, .appleID), .purchase, .unknown: nil
        }
    }

    /// Whether the ledger is read for it each time.
    var readsLedger: Bool {
        if known != nil || !assumptions.isEmpty { return true }
        return switch matter {
        case .purchase, .use(_, .appleID): true
        case .use(_, .account), .spend: appleID != nil
        case .unknown: false
        }
    }
}

extension Evaluation.Matter {
    /// Puts the words together. Ids are checked only where the words are known: the ids of other
    /// types have other alphabets.
    ///
    /// - Parameter amount: `properties.amount` of the action or the resource.
    init(
        subjectType: String, subjectID: String, action: String, resourceType: String,
        resourceID: String, amount: Int64? = nil
    ) throws(Problem) {
        let subject: Evaluation.Subject
        switch subjectType {
        case "account": subject = .account(try Self.id(subjectID, "subject.id"))
        case "apple-id": subject = .appleID(try Self.id(subjectID, "subject.id"))
        default:
            self = .unknown(.subjectType)
            return
        }
        guard let type = Evaluation.ResourceType(rawValue: resourceType) else {
            self = .unknown(.resourceType)
            return
        }
        self = try Self.matter(type, resourceID, action, by: subject, amount)
    }

    private static func matter(
        _ type: Evaluation.ResourceType, _ id: String, _ action: String,
        by subject: Evaluation.Subject, _ amount: Int64?
    ) throws(Problem) -> Evaluation.Matter {
        guard type != .entitlement else {
            let entitlement: EntitlementName = try Self.id(id, "resource.id")
            return action == type.action ? .use(entitlement, by: subject) : .unknown(.action)
        }
        // Only accounts buy and spend.
        guard case .account(let account) = subject else { return .unknown(.subjectType) }
        if type == .product {
            let product: ProductID = try Self.id(id, "resource.id")
            return action == type.action ? .purchase(product, by: account) : .unknown(.action)
        }
        let credit: CreditName = try Self.id(id, "resource.id")
        guard action == type.action else { return .unknown(.action) }
        guard let amount else { throw Problem(.missing, field: "action.properties.amount") }
        try Problem.require(
            amount, in: GrantedGift.possibleUnits, field: "action.properties.amount")
        return .spend(credit, amount: amount, by: account)
    }

    private static func id<ID: Identifier>(_ text: String, _ field: String) throws(Problem) -> ID {
        guard let id = ID(text) else { throw Problem(malformed: ID.self, field: field) }
        return id
    }
}

/// The last body of a connection that asked whether an account may use an entitlement.
///
/// Clients repeat a body with another account. If all bytes around the account's name equal those
/// of the last body, and the name needs no unescaping either, the question is the same about
/// another account, and the body is not read again.
struct EvaluationMemo: Sendable {
    /// Up to the account's name; empty for none.
    private var before: [UInt8] = []
    /// From the quotation mark behind the name on.
    private var behind: [UInt8] = []
    /// The range of the entitlement's name, relative to what follows the account.
    private var entitlement = 0..<0

    /// Longer ones are not kept: every connection has a memo.
    private static let longest = 512

    /// Whom and what the body asks about, if it is like the last one.
    func recall(_ body: Span<UInt8>) -> PlainUse? {
        let end = body.count - behind.count
        guard before.count > 0, before.count <= end,
            body.extracting(..<before.count).isSame(as: before.span),
            body.extracting(end...).isSame(as: behind.span)
        else { return nil }
        let account = before.count..<end
        guard body.allSatisfy(in: account, \.isPlainInJSON) else { return nil }
        return PlainUse(
            account: account,
            entitlement: entitlement.lowerBound + end..<entitlement.upperBound + end)
    }

    /// Remembers a body and the result of reading it.
    mutating func keep(_ use: PlainUse, _ body: Span<UInt8>) {
        let (account, entitlement) = (use.account, use.entitlement)
        guard body.count <= Self.longest, entitlement.lowerBound > account.upperBound else {
            return
        }
        before.removeAll(keepingCapacity: true)
        before.append(body.extracting(..<account.lowerBound))
        behind.removeAll(keepingCapacity: true)
        behind.append(body.extracting(account.upperBound...))
        let end = account.upperBound
        self.entitlement = entitlement.lowerBound - end..<entitlement.upperBound - end
    }
}
