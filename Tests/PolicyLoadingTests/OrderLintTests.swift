internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// Rules at the wrong place, ages and dates that begin again, and what is not sold any more.
@Suite(.timeLimit(.minutes(20)))
struct OrderLintTests {
    private static func rules(_ rules: (name: String, when: String, then: String)...) -> String {
        "access:\n"
            + rules.map { rule in
                "  - name: \(rule.name)\n    when: {\(rule.when)}\n    then: \(rule.then)\n"
            }.joined()
    }

    private static func unlock(_ title: String) -> String {
        "products:\n  unlock: {kind: non-consumable, title: \(title), grants: [premium]}"
    }

    private static let week = "state: billing-retry, state_age: under 7d"

    static let mistakes = [
        Mistake(
            "the rest before the exception",
            rules(
                ("⟦everybody else has a courtesy week⟧", week, "grant"),
                ("a trial has none", "state: billing-retry, offer: free-trial", "withhold")),
            .restBeforeOthers,
            "'everybody else has a courtesy week' says 'everybody else' and comes before "
                + "'a trial has none', which it decides, too"),
        Mistake(
            "the rest before the exception, in Chinese",
            rules(
                ("⟦其他人有一周宽待⟧", week, "grant"),
                ("试用没有", "state: billing-retry, offer: free-trial", "withhold")),
            .restBeforeOthers),
        Mistake(
            "an age over two states",
            rules(
                (
                    "two weeks to pay", "state: [grace, billing-retry], state_age: ⟦under 14d⟧",
                    "grant"
                )), .ageBeginsAgain,
            "the age in 'two weeks to pay' begins again when grace turns into billing-retry"),
        Mistake(
            "who joined, by the current period",
            rules(
                (
                    "who joined before 2024 keeps it in retry",
                    "state: billing-retry, purchased: ⟦before 2024-01-01⟧", "grant"
                )), .purchasedMovesOn,
            "'who joined before 2024 keeps it in retry' says 'joined', and 'purchased' moves on "
                + "with each renewal"),
        Mistake(
            "bought from some day on, or renewed",
            rules(
                (
                    "the press offer leaked", "state: active, purchased: ⟦from 2026-11-18⟧",
                    "withhold"
                )), .renewalsCounted,
            "'the press offer leaked' is about renewals as well: each moves 'purchased' on"),
        Mistake(
            "not sold, and ordered", unlock("⟦Unlock (no longer sold)⟧"), .retiredForgotten,
            "'unlock' says 'no longer sold' in its title and has no 'retired': it can be ordered"),
        Mistake(
            "an instant in UTC of another place's time",
            "open:\n  - name: gala from 20:00, Beijing time\n    entitlements: [premium]\n"
                + "    at: ⟦from 2026-12-31T20:00:00Z until 2026-12-31T22:00:00Z⟧", .instantInUTC,
            "'gala from 20:00, Beijing time' says 'beijing time', and 20:00:00Z is in UTC"),
        Mistake(
            "the wrong year of a month",
            rules(
                ("the course closes on 1 July 2027", "at: ⟦from 2026-07-01⟧", "withhold")
            ), .datesAgainstName),
        Mistake("not sold, in Chinese", unlock("⟦解锁（已停售）⟧"), .retiredForgotten),
    ]

    @Test(arguments: mistakes)
    func isTold(_ mistake: Mistake) throws {
        let found = mistake.policy.diagnose().filter { $0.id == mistake.id }
        let shown = render(mistake.policy.diagnose(), sources: [mistake.policy.text])
        let first = try #require(found.first, "\(shown)")
        #expect(first.place == mistake.policy.place, "\(shown)")
        if let message = mistake.message { #expect(first.message(in: .english) == message) }
    }

    @Test(
        "what a careful reader finds right is not complained about",
        arguments: [
            rules(
                ("a trial has none", "state: billing-retry, offer: free-trial", "withhold"),
                ("everybody else has a courtesy week", week, "grant")),
            rules(
                ("everybody else has a courtesy week", week, "grant"),
                ("a second week for the press", "state: grace, account: press", "withhold")),
            rules(("a week to pay", "state: billing-retry, state_age: under 7d", "grant")),
            rules(
                ("two weeks", "state: [grace, billing-retry], unpaid_for: under 14d", "grant")),
            rules(
                (
                    "the press offer leaked",
                    "state: active, purchased: from 2026-11-18, first_purchased: from 2026-11-18",
                    "withhold"
                ),
                (
                    "the unlock leaked", "kind: non-consumable, purchased: from 2026-11-18",
                    "withhold"
                ),
                ("nobody renews it", "state: active, purchased: from 2026-11-18", "withhold")),
            unlock("Unlock"),
            "open:\n  - name: gala from 20:00, Beijing time\n    entitlements: [premium]\n"
                + "    at: from 2026-12-31T20:00:00+08:00 until 2026-12-31T22:00:00+08:00",
        ])
    func isNoMistake(policy: String) {
        let lints: Set<DiagnosticID> = [
            .restBeforeOthers, .ageBeginsAgain, .purchasedMovesOn, .renewalsCounted,
            .retiredForgotten, .instantInUTC,
        ]
        let found = MarkedPolicy(policy).diagnose().filter { lints.contains($0.id) }
        #expect(found.isEmpty, "\(render(found, sources: []))")
    }
}
