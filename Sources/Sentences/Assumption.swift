package import EntitlementModel

/// Something that has not happened, for a question that is answered as if it had (spec 1.10,
/// "assume"). Purchases are named by the ids of their transactions.
package enum Assumption: Hashable, Sendable {
    case renews(TransactionID)
    /// Apple could not charge; there is grace of that length from the end of the period, or none.
    case fails(TransactionID, AssumedGrace?)
    /// Percent; nil for all of it.
    case isRefunded(TransactionID, percent: Int64?)
    /// A claim that waits for a person.
    case isApproved(AssumedClaim)
    case grant(AccountID, GrantedGift, until: Instant?)
    case block(AccountID, BlockScope)

    /// How many one question may make.
    package static let most = 8
}

package enum AssumedGrace: Hashable, Sendable {
    case days(Int64)
    case until(Instant)
}

/// How a claim is named: by its entry, or by who claims what.
package enum AssumedClaim: Hashable, Sendable {
    case entry(LedgerSequence)
    case of(AccountID, TransactionID)
}

/// The verbs of assumptions: those of stories, by the same keys.
package enum AssumedVerb: String, CaseIterable, Sendable {
    case renews
    case fails
    case failsUntil = "fails_until"
    case isRefunded = "is_refunded"
    case approves
    case grants
    case grantsCredit = "grants_credit"
    case blocks
    case blocksSpending = "blocks_spending"

    /// As stories say it.
    package var form: SentenceForm {
        switch self {
        case .renews: form(["{purchase} renews"], ["{purchase} 续订", "{purchase} 续期"])
        case .fails:
            form(
                [
                    "renewal of {purchase} fails[, {days} days of grace]",
                    "{purchase} fails[ grace {days}]",
                ],
                ["{purchase} 续订失败[，宽限 {days} 天]", "{purchase} 续期失败[，宽限 {days} 天]"])
        case .failsUntil:
            form(
                ["renewal of {purchase} fails, grace until {grace}"],
                ["{purchase} 续订失败，宽限期至 {grace}", "{purchase} 续期失败，宽限期至 {grace}"])
        case .isRefunded:
            form(
                [
                    "{purchase} is refunded[ by {percent} percent]"
                        + "[ , and nobody tells of it{#untold}]",
                    "{purchase} is refunded[ percent {percent}]",
                ],
                ["{purchase} 被退款[，退 {percent} 百分比][，无人告知{#untold}]"])
        case .approves:
            form(
                ["support approves the claim of {account} on {purchase}"],
                ["客服批准 {account} 对 {purchase} 的认领"])
        case .grants:
            form(
                ["support grants {account} {entitlement}[ until {until}][ as {name}]"],
                [
                    "客服授予 {account} {entitlement}[，至 {until}][，记作 {name}]",
                    "客服赠予 {account} {entitlement}[，至 {until}][，记作 {name}]",
                ])
        case .grantsCredit:
            form(
                ["support grants {account} {units} {credit}[ until {until}][ as {name}]"],
                [
                    "客服授予 {account} {units} 个 {credit}[，至 {until}][，记作 {name}]",
                    "客服赠予 {account} {units} 个 {credit}[，至 {until}][，记作 {name}]",
                ])
        case .blocks:
            form(
                ["support blocks {account}[ from {entitlement}][ as {name}]"],
                [
                    "客服停用 {account}[，限 {entitlement}][，记作 {name}]",
                    "客服封禁 {account}[，限 {entitlement}][，记作 {name}]",
                ])
        case .blocksSpending:
            form(
                ["support blocks {account} from spending {credit}[ as {name}]"],
                ["客服禁止 {account} 花费 {credit}[，记作 {name}]"])
        }
    }

    /// As orders: short enough for a command line.
    private static let short = [
        renews.form(["renew {purchase}"], ["续订 {purchase}"]),
        fails.form(["fail {purchase}[ grace {days}]"], ["扣款失败 {purchase}[，宽限 {days} 天]"]),
        isRefunded.form(
            ["refund {purchase}[ by {percent} percent]"], ["退款 {purchase}[，退 {percent} 百分比]"]),
        approves.form(["approve {claim}"], ["批准 {claim}"]),
        grants.form(
            ["grant {account} {entitlement}[ until {until}]"],
            ["授予 {account} {entitlement}[，至 {until}]"]),
        blocks.form(
            ["block {account}[ from {entitlement}]"], ["停用 {account}[，限 {entitlement}]"]),
    ]

    /// The sentences of assumptions.
    package static let table = SentenceTable(allCases.map(\.form) + short)

    private func form(_ english: [String], _ chinese: [String]) -> SentenceForm {
        SentenceForm(rawValue, english, chinese)
    }
}

/// Why a list of assumptions is not one.
package struct AssumptionMistake: Error, Hashable, Sendable {
    /// Which of them, from 1; nil where there are too many.
    package var number: Int?
    /// The word that fits nowhere; nil where the sentence ends too early.
    package var word: String?
    /// The form that comes nearest.
    package var nearest: String?
}

extension Assumption {
    /// Reads sentences that are separated by semicolons.
    package static func read(_ text: String) throws(AssumptionMistake) -> [Assumption] {
        let sentences = text.split(whereSeparator: { $0 == ";" || $0 == "；" })
            .filter { !$0.allSatisfy(\.isWhitespace) }
        guard sentences.count <= most else { throw AssumptionMistake() }
        guard !sentences.isEmpty else { throw AssumptionMistake(number: 1) }
        return try sentences.enumerated().map { index, text throws(AssumptionMistake) in
            let number = index + 1
            let sentence: Sentence
            do throws(SentenceMistake) {
                sentence = try AssumedVerb.table.read(String(text))
            } catch {
                throw AssumptionMistake(
                    number: number, word: error.token?.text,
                    nearest: error.isWithinWord ? nil : error.nearest?.shortest)
            }
            guard let assumption = Assumption(sentence) else {
                throw AssumptionMistake(
                    number: number, word: String(text),
                    nearest: AssumedVerb.table[sentence.verb]?.english.first?.shortest)
            }
            return assumption
        }
    }

    /// Nil where a value is not what its slot needs.
    init?(_ sentence: Sentence) {
        // Nobody tells of what is assumed.
        guard let verb = AssumedVerb(rawValue: sentence.verb), !sentence.has(.untold) else {
            return nil
        }
        let account = sentence[.account].flatMap { AccountID($0) }
        switch verb {
        case .renews, .fails, .failsUntil, .isRefunded:
            guard let purchase = sentence[.purchase].flatMap({ TransactionID($0) }) else {
                return nil
            }
            self.init(verb, of: purchase, sentence)
        case .approves:
            guard let claim = AssumedClaim(sentence) else { return nil }
            self = .isApproved(claim)
        case .grants, .grantsCredit:
            guard let account, let gift = GrantedGift(sentence) else { return nil }
            self = .grant(account, gift, until: sentence.date(.until))
        case .blocks, .blocksSpending:
            guard let account, let scope = BlockScope(sentence) else { return nil }
            self = .block(account, scope)
        }
    }

    private init?(_ verb: AssumedVerb, of purchase: TransactionID, _ sentence: Sentence) {
        let percent = sentence.number(.percent)
        switch verb {
        case .renews: self = .renews(purchase)
        case .fails where sentence.has(.days):
            guard let days = sentence.number(.days), (0...366).contains(days) else { return nil }
            self = .fails(purchase, .days(days))
        case .fails: self = .fails(purchase, nil)
        case .failsUntil: self = .fails(purchase, sentence.date(.grace).map { .until($0) })
        default:
            guard percent.map({ (1...100).contains($0) }) ?? true else { return nil }
            self = .isRefunded(purchase, percent: percent)
        }
    }
}

extension AssumedClaim {
    fileprivate init?(_ sentence: Sentence) {
        if let claim = sentence.number(.claim) {
            self = .entry(LedgerSequence(claim))
            return
        }
        guard let account = sentence[.account].flatMap({ AccountID($0) }),
            let purchase = sentence[.purchase].flatMap({ TransactionID($0) })
        else { return nil }
        self = .of(account, purchase)
    }
}

extension GrantedGift {
    fileprivate init?(_ sentence: Sentence) {
        if let name = sentence[.entitlement].flatMap({ EntitlementName($0) }) {
            self = .entitlement(name)
            return
        }
        guard let name = sentence[.credit].flatMap({ CreditName($0) }),
            let units = sentence.number(.units)
        else { return nil }
        self = .credit(name, units: units)
    }
}

extension BlockScope {
    fileprivate init?(_ sentence: Sentence) {
        let entitlement = sentence[.entitlement].map { EntitlementName($0) }
        let credit = sentence[.credit].map { CreditName($0) }
        guard entitlement != .some(nil), credit != .some(nil) else { return nil }
        self.init(
            entitlements: [entitlement].compactMap { $0 ?? nil },
            credits: [credit].compactMap { $0 ?? nil })
    }
}
