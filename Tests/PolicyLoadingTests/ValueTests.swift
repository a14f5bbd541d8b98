internal import PolicyLoading
internal import Testing

/// Values of every type, wrong.
@Suite(.timeLimit(.minutes(20)))
struct ValueTests {
    private static func access(_ condition: String) -> String {
        "access:\n  - name: a\n    when: {\(condition)}\n    then: grant"
    }

    private static func app(_ condition: String, gives: String = "[premium]") -> String {
        "app_purchase:\n  - name: a\n    when: {\(condition)}\n    grants: \(gives)"
    }

    private static func claim(_ rest: String) -> String {
        "account_switch:\n  - name: a\n    \(rest)"
    }

    private static func product(_ rest: String) -> String {
        "products:\n  p:\n    kind: consumable\n    grants: [{entitlement: premium, for: 1d}]\n"
            + "    \(rest)"
    }

    static let mistakes: [Mistake] = [
        Mistake(
            "misspelt key", "orders:\n  ⟦pay_witin⟧: 30m", .unknownKey,
            "unknown key 'pay_witin' in 'orders'"),
        Mistake("misspelt section", "⟦accout_switch⟧: []", .unknownSection),
        Mistake(
            "misspelt word", access("state: ⟦actve⟧"), .unknownWord,
            "'actve' is not a value of 'state'"),
        Mistake("word in capitals", access("state: ⟦Active⟧"), .unknownWord),
        Mistake("one wrong of many", access("state: [grace, ⟦activ⟧]"), .unknownWord),
        Mistake("claim field in access", access("⟦token⟧: matches"), .fieldNotHere),
        Mistake("offer in claim", claim("when: {⟦offer⟧: none}\n    then: keep"), .fieldNotHere),
        Mistake("only in claim", claim("then: keep\n    ⟦only⟧: [premium]"), .fieldNotHere),
        Mistake("off without quotes", access("auto_renew: ⟦off⟧"), .textReadAsBoolean),
        Mistake("Norway", access("storefront: ⟦NO⟧"), .textReadAsBoolean),
        Mistake("no country", access("storefront: ⟦UK⟧"), .unknownStorefront),
        Mistake("lower-case country", access("storefront: ⟦us⟧"), .unknownStorefront),
        Mistake("age without bound", access("state_age: ⟦7d⟧"), .badAge),
        Mistake("age in months", access("state_age: ⟦under 1mo⟧"), .calendarUnit),
        Mistake("age without unit", access("state_age: ⟦under 7⟧"), .badLength),
        Mistake("no age", access("state_age: ⟦at least 0d⟧"), .zeroLength),
        Mistake("30 February", access("purchased: ⟦before 2026-02-30⟧"), .badDate),
        Mistake("year only", access("at: ⟦from 2026⟧"), .badDate),
        Mistake("American date", access("at: ⟦from 01/31/2026⟧"), .badDate),
        Mistake("after", access("at: ⟦after 2026-01-01⟧"), .badDateBound),
        Mistake("version alone", app("first_version: ⟦3.0⟧"), .badVersionBound),
        Mistake("no version", app("first_version: ⟦before three⟧"), .badVersionBound),
        Mistake("version with a letter", app("first_version: ⟦from 3.0b1⟧"), .badVersionBound),
        Mistake("half an interval", app("first_version: ⟦from 2.0 until⟧"), .badVersionBound),
        Mistake("version with a dot too many", app("first_version: ⟦before 3.⟧"), .badVersionBound),
        Mistake("one version", app("first_version: ⟦from 3.0 until 3⟧"), .emptyInterval),
        Mistake("versions turned round", app("first_version: ⟦from 10 until 9⟧"), .emptyInterval),
        Mistake("nothing before", app("first_version: ⟦before 0.0⟧"), .emptyInterval),
        Mistake(
            "all versions", app("first_version: ⟦[before 4, from 3]⟧"), .oppositeBounds),
        Mistake("state of the app", app("⟦state⟧: active"), .fieldNotHere),
        Mistake("version of a product", access("⟦first_version⟧: before 3.0"), .fieldNotHere),
        Mistake(
            "app without condition", "app_purchase:\n  - {name: a, grants: [premium]}",
            .missingKey),
        Mistake(
            "app that withholds",
            "app_purchase:\n  - {name: a, when: {account: a}, ⟦then⟧: withhold, grants: [premium]}",
            .fieldNotHere),
        Mistake("app that gives nothing", app("account: a", gives: "⟦[]⟧"), .emptyList),
        Mistake(
            "unknown right of the app", app("account: a", gives: "⟦premum⟧"),
            .unknownEntitlement),
        Mistake(
            "credits of the app", app("account: a", gives: "[⟦{credit: coins, units: 1}⟧]"),
            .wrongType),
        Mistake("year 2206", access("at: ⟦from 2206-01-01⟧"), .dateOutOfRange),
        Mistake("length in words", "leeway: ⟦1 hour⟧", .badLength),
        Mistake("bare number", "leeway: ⟦1⟧", .badLength),
        Mistake("leading zero", "leeway: ⟦01h⟧", .badLength),
        Mistake("negative", "leeway: ⟦-1h⟧", .badLength),
        Mistake("leeway in months", "leeway: ⟦1mo⟧", .calendarUnit),
        Mistake(
            "moves without window", claim("then: transfer\n    limits: {moves: ⟦3⟧}"), .badMoves),
        Mistake(
            "moves per year", claim("then: transfer\n    limits: {moves: ⟦3 per 1y⟧}"),
            .calendarUnit),
        Mistake(
            "no moves", claim("then: transfer\n    limits: {moves: ⟦0 per 1d⟧}"), .badMoves),
        Mistake("share with one", claim("then: share\n    max: ⟦1⟧"), .numberOutOfRange),
        Mistake("price with sign", product("price: {USD: ⟦$9.99⟧}"), .badAmount),
        Mistake("price with comma", product("price: {USD: ⟦\"9,99\"⟧}"), .decimalComma),
        Mistake("four decimals", product("price: {USD: ⟦0.0001⟧}"), .badAmount),
        Mistake("price as power", product("price: {USD: ⟦1e2⟧}"), .numberNotation),
        Mistake("negative price", product("price: {USD: ⟦-1⟧}"), .badAmount),
        Mistake("retired on no day", product("retired: ⟦2026-13-01⟧"), .badDate),
        Mistake("list for a map", "orders: ⟦[30m]⟧", .wrongType),
        Mistake("map for a list", "access: ⟦{name: a}⟧", .wrongType),
        Mistake("text for a map", "orders: ⟦soon⟧", .wrongType),
        Mistake("map for a word", access("state: ⟦{is: active}⟧"), .wrongType),
        Mistake("empty section", "⟦orders⟧:", .emptyValue),
        Mistake("empty list entry", "access:\n  -\n", .emptyValue),
        Mistake("empty list", access("state: ⟦[]⟧"), .emptyList),
        Mistake("units with underscore", units("⟦1_000⟧"), .numberNotation),
        Mistake("no units", units("⟦0⟧"), .numberOutOfRange),
        Mistake(
            "more units than a number holds", units("⟦12345678901234567890⟧"), .numberOutOfRange),
        Mistake("quoted units", units("⟦\"100\"⟧"), .notWholeNumber),
        Mistake(
            "missing units", "credits:\n  c: {title: C}\n" + grant("{⟦credit⟧: c}"), .missingKey),
        Mistake("misspelt choice", grant("{⟦entitlment⟧: premium}"), .unknownKey),
        Mistake("a rule without name", "access:\n  - ⟦then⟧: grant", .missingKey),
        Mistake("title missing", "entitlements:\n  hd: ⟦{}⟧", .missingKey),
    ]

    private static func grant(_ written: String) -> String {
        "products:\n  p:\n    kind: consumable\n    grants: [\(written)]"
    }

    private static func units(_ written: String) -> String {
        "credits:\n  c: {title: C}\n" + grant("{credit: c, units: \(written)}")
    }

    @Test(arguments: mistakes) func wrongValue(_ mistake: Mistake) { mistake.check() }
}
