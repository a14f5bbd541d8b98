internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// Units of subscriptions and units that lapse (spec 1.7), as policies write them.
@Suite(.timeLimit(.minutes(20)))
struct CreditTermsTests {
    private static func club(_ credits: String, period: String = "1y") -> String {
        "credits: {coins: {title: Coins}}\nproducts:\n  club:\n    kind: auto-renewable\n"
            + "    group: membership\n    level: gold\n    period: \(period)\n"
            + "    grants: [premium]\n    credits: [\(credits)]\n"
    }

    private static func bag(_ grant: String) -> String {
        "credits: {coins: {title: Coins}}\nproducts:\n  bag:\n    kind: consumable\n"
            + "    grants: [\(grant)]\n"
    }

    static let mistakes: [Mistake] = [
        Mistake(
            "no time to lapse", bag("{credit: coins, units: 5, expires: ⟦0d⟧}"), .zeroLength,
            "'expires' cannot be '0d': the length is zero"),
        Mistake(
            "no length", bag("{credit: coins, units: 5, expires: ⟦soon⟧}"), .badLength),
        Mistake(
            "a slip in a word", club("{credit: coins, units: 5, expires: ⟦perod⟧}"), .unknownWord),
        Mistake(
            "with the period of a consumable",
            bag("{credit: coins, units: 5, expires: ⟦period⟧}"), .notForKind,
            "'expires: period' is not allowed for the kind 'consumable'"),
        Mistake(
            "parts beyond the period",
            club("{credit: coins, units: 5, every: ⟦2y⟧}"), .everyBeyondPeriod,
            "'2y' may be longer than the period '1y'"),
        Mistake(
            "parts that a short month does not hold",
            club("{credit: coins, units: 5, every: ⟦30d⟧}", period: "1mo"), .everyBeyondPeriod),
        Mistake(
            "parts of an hour", club("{credit: coins, units: 5, every: ⟦1h⟧}"), .everyTooShort,
            "'1h' is shorter than a day"),
        Mistake(
            "a credit in both lists",
            club("{credit: ⟦coins⟧, units: 5}").replacing(
                "[premium]", with: "[premium, {credit: coins, units: 5}]"), .unitsAndCredits,
            "'coins' is both in 'grants', with 'units', and in 'credits'"),
        Mistake(
            "a credit in both lists of a consumable",
            bag("{credit: coins, units: 5}") + "    credits: [{credit: ⟦coins⟧, units: 5}]\n",
            .unitsAndCredits),
        Mistake(
            "credits of a consumable",
            bag("{entitlement: premium, for: 1d}")
                + "    ⟦credits⟧: [{credit: coins, units: 5}]\n", .notForKind,
            "'credits' is not allowed for the kind 'consumable'"),
        Mistake(
            "more under an offer",
            club("{credit: coins, units: 5, under_offer: {free-trial: ⟦6⟧}}"), .offerGivesMore,
            "6 units under the offer 'free-trial' are more than the usual 5"),
        Mistake(
            "an offer that Apple has not",
            club("{credit: coins, units: 5, under_offer: {⟦free-trail⟧: 4}}"), .unknownKey),
        Mistake(
            "a credit twice",
            club("{credit: coins, units: 5}, ⟦{credit: coins, units: 6}⟧"), .grantedTwice),
        Mistake(
            "an unknown credit", club("{credit: ⟦coin⟧, units: 5}"), .unknownCredit),
        Mistake(
            "the length of a right", bag("{credit: coins, units: 5, ⟦for⟧: 5d}"), .lengthOfCredit,
            "credits have no 'for'"),
    ]

    @Test(arguments: mistakes) func mistake(_ mistake: Mistake) { mistake.check() }

    @Test(
        "a warning that is longer than every lapse is one; beyond one of them it is not",
        arguments: [
            ("expires: period", "2mo", "120d", true), ("expires: period", "2mo", "62d", true),
            ("expires: period", "2mo", "61d", false),
            ("every: 1mo, expires: period", "1y", "40d", true),
            ("every: 1mo, expires: period", "1y", "30d", false),
            ("expires: 90d", "1mo", "91d", true), ("expires: 90d", "1mo", "90d", false),
            ("expires: never", "1mo", "300d", false),
        ])
    func warnings(terms: String, period: String, ahead: String, isBeyond: Bool) {
        let text = Self.club("{credit: coins, units: 5, \(terms)}", period: period)
            .replacing("title: Coins", with: "title: Coins, warn_before: \(ahead)")
        let found = MarkedPolicy(text).diagnose()
        #expect(found.map(\.id) == (isBeyond ? [.warnedAtOnce] : []))
        let other = "  q: {kind: consumable, grants: [{credit: coins, units: 1, expires: 1y}]}\n"
        #expect(!MarkedPolicy(text + other).diagnose().contains { $0.id == .warnedAtOnce })
    }

    @Test func values() throws {
        let text = Self.club(
            "{credit: coins, units: 100, every: 1mo, under_offer: {free-trial: 10, introductory: 0}"
                + ", expires: period}"
        ).replacing("title: Coins", with: "title: Coins, warn_before: 7d")
        let policy = try #require(MarkedPolicy(text).loaded)
        let coins = CreditName(unchecked: "coins")
        #expect(
            policy.products[ProductID(unchecked: "club")]?.grants == [
                .entitlement(EntitlementName(unchecked: "premium"), lasting: nil),
                .credit(
                    coins, units: 100,
                    terms: CreditTerms(
                        every: Period(1, .months),
                        underOffer: [.freeTrial: 10, .introductory: 0], expires: .period)),
            ])
        #expect(policy.credits[coins]?.warnBefore == Period(7, .days))
    }

    @Test func boughtUnitsThatLapse() throws {
        let text = Self.bag("{credit: coins, units: 5, expires: 90d}")
        let marked = MarkedPolicy(text)
        #expect(marked.diagnose().map(\.id) == [.creditExpires])
        #expect(
            try #require(marked.loaded).products[ProductID(unchecked: "bag")]?.grants == [
                .credit(
                    CreditName(unchecked: "coins"), units: 5,
                    terms: CreditTerms(expires: .after(Period(90, .days))))
            ])
        let waived = text + "    expect-warning: {id: credit-expires, because: agreed}\n"
        #expect(MarkedPolicy(waived).diagnose().isEmpty)
        let never = Self.bag("{credit: coins, units: 5, expires: never}")
        #expect(MarkedPolicy(never).diagnose().isEmpty)
    }
}

extension MarkedPolicy {
    fileprivate var loaded: Policy? { loadPolicy([PolicyExample.base, text]).policy }
}
