internal import EntitlementDerivation
internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// What the codes of answers mean, in words. The codes are the contract; one that this version does
/// not know is shown as it is.
enum CodeWords {
    static func state(_ code: String, _ language: Language) -> String {
        EntitlementState.words(code, language)
    }

    static func expiryReason(_ code: String, _ language: Language) -> String {
        ExpiryReason.words(code, language)
    }

    /// How a claim stands.
    static func outcome(_ code: String, _ language: Language) -> String {
        ClaimStandingPhrase(rawValue: code)?.text(language) ?? ClaimDenial.words(code, language)
    }

    /// On what occasion a claim was made.
    static func moment(_ code: String, _ language: Language) -> String {
        ClaimMoment.words(code, language)
    }

    static func kind(_ code: String, _ language: Language) -> String {
        ProductKind.words(code, language)
    }

    static func finding(_ code: String, _ language: Language) -> String {
        Finding.Kind.words(code, language)
    }

    /// What a person did with a purchase.
    static func ruling(_ code: String, _ language: Language) -> String {
        Ruling.Verb.words(code, language)
    }

    /// What put credits on a balance, or took them off.
    static func creditCause(_ code: String, _ language: Language) -> String {
        CreditTimeline.Entry.Cause.words(code, language)
    }

    /// The gravity of a preflight.
    static func effect(_ code: String, _ language: Language) -> String {
        PreflightEffect.words(code, language)
    }

    /// Why evidence is quarantined.
    static func quarantine(_ code: String, _ language: Language) -> String {
        QuarantineCode.words(code, language)
    }

    /// Kinds of ledger entries, by their names in the ledger format.
    static func entries(_ kind: String, _ language: Language) -> String {
        EntryKind.words(kind, language)
    }
}
