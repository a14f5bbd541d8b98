package import EntitlementModel

/// What is wrong, in one sentence; the places are the diagnostic's facts.
package struct DiagnosticMessage: LocalizedText {
    package let id: DiagnosticID
}

/// What to do, where the diagnostic has nothing more exact to say.
package struct DiagnosticAdvice: LocalizedText {
    package let id: DiagnosticID
}

/// Why the policy is better without it.
package struct DiagnosticMeaning: LocalizedText {
    package let id: DiagnosticID
}

extension DiagnosticID {
    package var message: DiagnosticMessage { DiagnosticMessage(id: self) }
    package var advice: DiagnosticAdvice { DiagnosticAdvice(id: self) }
    package var meaning: DiagnosticMeaning { DiagnosticMeaning(id: self) }
}

/// The form of what was written, or of what should have been.
package enum WrittenForm: CaseIterable, Hashable, LocalizedText, Sendable {
    case singleValue, list, section, trueOrFalse, wholeNumber, amount, listOfValues
    case listInList, sectionInList
}

/// What each key of a policy means, for the schema.
enum FieldMeaning: CaseIterable, LocalizedText {
    case version, app, trust, environments, leeway, claimsFrom
    case entitlements, credits, groups, products
    case access, accountSwitch, refundAnswers, duplicateSubscriptions, orders, bundleID, appleID
    case newsstand
    case accountToken, roots, maxSignedAge, deniedKeys, jwsRoots, receiptRoots
    case rootEnvironments, rootFile, rootFingerprint, environmentTrust, title, chineseTitle
    case onRefund, levels, duplicateScope, beforeSecondPurchase, keptSubscription, payWithin
    case matchWindow, latePayment, productKind, productGroup, productLevel, period, duration
    case stacking, stack, price, grants, retired, grantedCredit, units, grantedEntitlement
    case lasting, effect, only, verb, sharingAccounts, limits, ruleName, condition, exception
    case cooldown, moves, excess, conditionKind, productPattern, conditionGroup, conditionLevel
    case conditionEntitlement, conditionAccount, conditionEnvironment, ownership, storefront
    case offer, tokenMatch, moment, state, stateAge, unpaidFor, expiryReason, autoRenew, revocation
    case purchased, firstPurchased, inForce, refundAnswer, acceptedPolicy, acceptanceReason
    case accountsAtMost, timeZone, open, openEntitlements, openWindow
    case expectedWarning, expectedID, expectedReason
}

/// What stands around diagnostics.
enum CheckPhrase: CaseIterable, LocalizedText {
    case help, oneError, errors, oneWarning, warnings, unchanged, replaced, moreLikeIt
    case andMore, filesRead, filesIgnored, products, rules, none, labelled, choiceSeparator
    case listSeparator, clauseSeparator, waive, waiveInFile, schemaTitle, example, expected
    case repairedLine, removedLine
}

/// What a message is about.
package enum Fact: Hashable, Sendable {
    /// Something that the author wrote, shown in quotes.
    case written(String)
    /// A rule by its name.
    case rule(RuleReference)
    case number(Int64)
    /// Things to choose from, each in quotes.
    case choice([String])
    case form(WrittenForm)
    /// Shown as it is, without quotes around it.
    case plain(String)

    /// As it stands in a message.
    func shown(in language: Language) -> String {
        switch self {
        case .written(let text): "'\(text.inMessage)'"
        case .rule(let rule): "'\(rule.name(in: language).inMessage)'"
        case .number(let number): String(number)
        case .choice(let texts):
            texts.map { "'\($0.inMessage)'" }
                .joined(separator: CheckPhrase.choiceSeparator.text(language))
        case .form(let form): form.text(language)
        case .plain(let text): text
        }
    }
}

extension LocalizedText {
    func filled(with facts: [Fact], in language: Language) -> String {
        filled(with: facts.map { $0.shown(in: language) }, in: language)
    }
}

extension String {
    /// Safe to show, and no longer than a message bears.
    var inMessage: String { shown(atMost: 80) }
}
