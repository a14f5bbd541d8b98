/// A setting of a policy, by where it is written: behind a key of the file, or of a section. Whatever
/// reads, shows and compares settings goes through `allCases`, which are in the order of `policy show`.
///
/// A new setting is a property of `Policy`, and a case here with its slot and its two texts; the
/// compiler asks for each of them.
package enum PolicySetting: String, CaseIterable, ModelText, Sendable {
    case accountToken = "app.account_token"
    case leeway
    case claimsFrom = "claims_from"
    case closedAccounts = "closed_accounts"
    case onReturn = "on_return"
    case payWithin = "orders.pay_within"
    case matchWindow = "orders.match_window"
    case latePayment = "orders.late_payment"
    case promise = "orders.promise"
    case duplicateScope = "duplicate_subscriptions.scope"
    case beforePurchase = "duplicate_subscriptions.before_purchase"
    case keep = "duplicate_subscriptions.keep"

    package var slot: SettingSlot {
        switch self {
        case .accountToken: .word(\.app.accountToken)
        case .leeway: .length(\.leeway)
        case .claimsFrom: .date(\.claimsFrom)
        case .closedAccounts: .word(\.closedAccounts)
        case .onReturn: .word(\.onReturn)
        case .payWithin: .length(\.orders.payWithin)
        case .matchWindow: .length(\.orders.matchWindow)
        case .latePayment: .word(\.orders.latePayment)
        case .promise: .length(\.orders.promise)
        case .duplicateScope: .word(\.duplicates.scope)
        case .beforePurchase: .word(\.duplicates.beforePurchase)
        case .keep: .word(\.duplicates.keep)
        }
    }

    /// What it is called where the settings of a policy are listed.
    package var english: String {
        switch self {
        case .accountToken: "Token of a purchase"
        case .leeway: "Leeway of a late renewal"
        case .claimsFrom: "A person decides on consumables and passes bought before"
        case .closedAccounts: "Rights of a closed account"
        case .onReturn: "A purchase of an erased account"
        case .payWithin: "An order is given up after"
        case .matchWindow: "Between order and payment, at most"
        case .latePayment: "A payment after that"
        case .promise: "An order keeps its promise for"
        case .duplicateScope: "Duplicate subscriptions are those"
        case .beforePurchase: "Before a second subscription"
        case .keep: "Of two subscriptions is kept"
        }
    }

    package var meaning: SettingMeaning { SettingMeaning(setting: self) }

    private var path: [Substring] { rawValue.split(separator: ".") }

    /// The section that it is written in; nil for the file itself.
    package var section: String? { path.count > 1 ? String(path[0]) : nil }

    /// The key that it is written behind.
    package var policyKey: String { String(path[path.count - 1]) }

    /// Its member where a program is told the settings, which have no sections there.
    package var member: String { self == .duplicateScope ? "duplicate_scope" : policyKey }

    /// Those of a section; of nil, those of the file itself.
    package static func all(in section: String?) -> [PolicySetting] {
        allCases.filter { $0.section == section }
    }
}

/// What a setting means, for the schema and for editors.
package struct SettingMeaning: ModelText {
    let setting: PolicySetting

    package var key: String { "\(setting)" }

    package var english: String {
        switch setting {
        case .accountToken:
            "How a purchase's appAccountToken names an account: through the order that created it, "
                + "or by being the account id itself. Default: from-order."
        case .leeway:
            "Access after the paid end while a renewal is in progress; never more than a tenth of "
                + "the period. Default: 1h."
        case .claimsFrom:
            "A former back end has delivered consumables and passes that were bought before this "
                + "day: a person decides on claims of them. Default: there was none."
        case .closedAccounts:
            "Whether the rights of a closed account end until it is reopened, or go on. It claims, "
                + "spends and orders nothing in any case. Default: end."
        case .onReturn:
            "Whether a purchase whose account was erased is given to the account that presents it "
                + "then, or waits for a person. Default: give."
        case .payWithin:
            "An order that is not paid within this time is abandoned. Default: 30m."
        case .matchWindow:
            "How far apart order and payment may be to be matched without a token. Default: 24h."
        case .latePayment:
            "What happens with a payment that arrives after the order was abandoned. Default: "
                + "deliver."
        case .promise:
            "How long after the order a payment gets the units and rights that the product gave when "
                + "the order was made, at most 30d. Default: not at all."
        case .duplicateScope:
            "What counts as a duplicate: the same group, or the same entitlement. Default: group."
        case .beforePurchase:
            "What the app is told before the customer pays twice. Default: warn."
        case .keep: "Which of the two is recommended to keep. Default: longest-paid."
        }
    }
}

/// The value of a setting, whatever its type.
package enum SettingValue: Hashable, Sendable {
    case word(String)
    case length(Period)
    case date(Instant)

    /// As a policy writes it.
    package var text: String {
        switch self {
        case .word(let word): word
        case .length(let length): length.text
        case .date(let date): date.rfc3339
        }
    }
}

/// How a setting is written, and where a policy has it.
package struct SettingSlot: Sendable {
    package enum Form: Sendable {
        case word(any PolicyWord.Type)
        /// Of a fixed length.
        case length
        case date
    }

    package let form: Form
    /// Nil where nothing is written, and nothing goes without saying.
    fileprivate let value: @Sendable (Policy) -> SettingValue?
    fileprivate let set: @Sendable (inout Policy, SettingValue) -> Void
}

extension SettingSlot {
    fileprivate typealias Path<Value> = any WritableKeyPath<Policy, Value> & Sendable

    fileprivate static func word<Word: PolicyWord>(_ path: Path<Word>) -> SettingSlot {
        SettingSlot(form: .word(Word.self)) {
            .word($0[keyPath: path].rawValue)
        } set: {
            if let word = Word(rawValue: $1.text) { $0[keyPath: path] = word }
        }
    }

    fileprivate static func length(_ path: Path<Period>) -> SettingSlot {
        SettingSlot(form: .length) {
            .length($0[keyPath: path])
        } set: {
            if case .length(let length) = $1 { $0[keyPath: path] = length }
        }
    }

    fileprivate static func length(_ path: Path<Period?>) -> SettingSlot {
        SettingSlot(form: .length) {
            $0[keyPath: path].map { .length($0) }
        } set: {
            if case .length(let length) = $1 { $0[keyPath: path] = length }
        }
    }

    fileprivate static func date(_ path: Path<Instant?>) -> SettingSlot {
        SettingSlot(form: .date) {
            $0[keyPath: path].map { .date($0) }
        } set: {
            if case .date(let date) = $1 { $0[keyPath: path] = date }
        }
    }
}

extension Policy {
    /// The value of a setting; setting it to nil changes nothing.
    package subscript(setting: PolicySetting) -> SettingValue? {
        get { setting.slot.value(self) }
        set { if let newValue { setting.slot.set(&self, newValue) } }
    }
}
