internal import EntitlementModel

/// How a stretch of time looks in every picture; each differs from the others without colour too.
struct Look: Hashable, Sendable {
    /// The code of a state, or of what else is drawn: its class in SVG and HTML.
    let name: String
    /// In a terminal, each another sign.
    let glyph: Character
    let tone: Tone?
    /// Of a bar; a line is drawn where nothing is to be had.
    let fill: String?
    let pattern: Pattern?
    /// What an instant is drawn as, about the origin; nil for a stretch of time.
    let point: String?
    /// What the legend says.
    let label: Label

    /// What a look stands for.
    enum Label: Hashable, Sendable {
        case phrase(ChartPhrase)
        case state(EntitlementState)

        func text(_ language: Language) -> String {
            switch self {
            case .phrase(let phrase): phrase.text(language)
            case .state(let state): state.text(language)
            }
        }
    }

    /// Drawn over the colour.
    struct Pattern: Hashable, Sendable {
        /// Of the square that repeats.
        let size: Int
        let path: String
        /// Around a label; the bar's colour where it is nil.
        var halo: String?
    }

    private init(
        _ name: String, _ label: Label, _ glyph: Character, _ tone: Tone?, fill: String? = nil,
        _ pattern: Pattern? = nil, point: String? = nil
    ) {
        self.name = name
        self.label = label
        self.glyph = glyph
        self.tone = tone
        self.fill = fill
        self.pattern = pattern
        self.point = point
    }

    static let given = Look("given", .phrase(.given), "█", .right, fill: "#2f6fd0")
    static let withheld = Look("withheld", .phrase(.withheld), "·", .faint)
    static let active = Look(EntitlementState.active)
    static let owned = Look("owned", .phrase(.owned), "━", nil, fill: "#8a6fc4")

    static let renews = Look(
        "renews", .phrase(.renews), "▷", .good, fill: "#bfe3cf", Pattern(size: 6, path: "M0 3H3"))

    /// A state that has no look of its own below is grey and dotted.
    init(_ state: EntitlementState) {
        self =
            Self.ofStates[state]
            ?? Look(
                state.rawValue, .state(state), "░", nil, fill: "#98a2ad",
                Pattern(size: 4, path: "M1 2H2"))
    }

    private static let ofStates: [EntitlementState: Look] = [
        .active: Look("active", .state(.active), "█", .good, fill: "#2f9e64"),
        .renewing: Look(
            "renewing", .state(.renewing), "▞", .passing, fill: "#7ccad6",
            Pattern(size: 5, path: "M0 2.5H5")),
        .grace: Look(
            "grace", .state(.grace), "▓", .care, fill: "#f2c94c",
            Pattern(size: 6, path: "M-1 7L7 -1M-1 1L1 -1M5 7L7 5")),
        .billingRetry: Look(
            "billing-retry", .state(.billingRetry), "▒", .worry, fill: "#f0a35e",
            Pattern(size: 5, path: "M2.5 0V5")),
        .expired: Look("expired", .state(.expired), "─", .faint),
        .revoked: Look(
            "revoked", .state(.revoked), "×", .bad, fill: "#e08a84",
            Pattern(size: 7, path: "M0 0L7 7M7 0L0 7", halo: "#ecb6b2")),
    ]

    /// What happened to an order.
    init(_ mark: OrderMark.Kind) {
        self =
            switch mark {
            case .made: Look("order-made", .phrase(.made), "○", nil, point: Self.circle)
            case .paid: Look("order-paid", .phrase(.paid), "◇", .care, point: Self.diamond)
            case .delivered:
                Look("order-delivered", .phrase(.delivered), "◆", .good, point: Self.diamond)
            case .refunded:
                Look(
                    "order-refunded", .phrase(.refunded), "⊗", .bad,
                    point: Self.circle + "M-3.5 -3.5l7 7M3.5 -3.5l-7 7")
            case .closed:
                Look("order-closed", .phrase(.closed), "⊖", .faint, point: Self.circle + "M-5 0h10")
            }
    }

    private static let circle = "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0"
    private static let diamond = "M0 -6l6 6l-6 6l-6 -6z"

    /// In the order of the legend.
    static let all =
        [given] + EntitlementState.allCases.map { Look($0) } + [renews, withheld, owned]
        + OrderMark.Kind.allCases.map { Look($0) }
}
