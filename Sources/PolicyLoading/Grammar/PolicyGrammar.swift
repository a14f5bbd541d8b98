internal import EntitlementModel

/// Every key that a policy file may hold (spec 2.0), with its meaning.
enum PolicyGrammar {
    static let version: Int64 = 1

    static let timeZoneKey = "time_zone"

    /// A whole file; any file may hold any sections.
    static let file = Section(
        title: "",
        fields: [
            Field("usher", .version, .version),
            Field(timeZoneKey, .timeZone, .timeZone),
            Field("app", .section(app), .app),
            Field("trust", .section(trust), .trust),
            Field("environments", .section(environments), .environments),
            Field(.leeway),
            Field(.claimsFrom),
            Field(.closedAccounts),
            Field(.onReturn),
            Field("entitlements", .table(of: .entitlement, .section(entitlement)), .entitlements),
            Field("credits", .table(of: .credit, .section(credit)), .credits),
            Field("groups", .table(of: .group, .section(group)), .groups),
            Field("products", .table(of: .product, .section(CatalogueGrammar.product)), .products),
            Field("app_purchase", .list(.section(RuleGrammar.appPurchase)), .appPurchase),
            Field("access", .list(.section(RuleGrammar.access)), .access),
            Field("account_switch", .list(.section(RuleGrammar.accountSwitch)), .accountSwitch),
            Field("open", .list(.section(RuleGrammar.open)), .open),
            Field("refund_answers", .list(.section(RuleGrammar.refundAnswers)), .refundAnswers),
            Field(
                "duplicate_subscriptions", settings("duplicate_subscriptions"),
                .duplicateSubscriptions),
            Field("orders", settings("orders"), .orders),
            Waiver.field,
        ])

    /// All sections, the whole file first.
    static let sections: [Section] = placed.map(\.section)

    /// Every key of every section.
    static let keys = Set(sections.flatMap(\.fields).map(\.key))

    /// Where a key may be written, such as `products.grants`; what an `unless` has, its `when` has.
    static func places(of key: String) -> [String] {
        let own = placed.filter { $0.section[key] != nil && $0.section.title != "unless" }
        return Set(own.map(\.path)).subtracting([""]).sorted()
    }

    private static let placed = sections(of: .section(file), at: "")

    private static func sections(
        of shape: Shape, at path: String
    ) -> [(path: String, section: Section)] {
        switch shape {
        case .list(let inner), .oneOrMany(let inner), .table(_, let inner):
            sections(of: inner, at: path)
        case .section(let section):
            [(path, section)]
                + section.fields.flatMap { field in
                    sections(
                        of: field.shape, at: path.isEmpty ? field.key : "\(path).\(field.key)")
                }
        case .either(_, let choices): choices.flatMap { sections(of: .section($0), at: path) }
        case .allOr(let exceptions, let inner):
            sections(of: .section(exceptions), at: path) + sections(of: inner, at: path)
        default: []
        }
    }

    private static let app = Section(
        title: "app",
        fields: [
            Field("bundle_id", .bundleID, required: true, .bundleID),
            Field("apple_id", .whole(1...99_999_999_999), .appleID),
            Field("newsstand", .boolean, .newsstand),
        ] + PolicySetting.all(in: "app").map { Field($0) } + [Waiver.field])

    private static let trust = Section(
        title: "trust",
        fields: [
            Field("roots", .section(roots), required: true, .roots),
            Field("max_signed_age", .length(allowsCalendar: false), .maxSignedAge),
            Field("denied_keys", .oneOrMany(.fingerprint), .deniedKeys),
            Waiver.field,
        ])

    private static let roots = Section(
        title: "roots",
        fields: [
            Field("jws", .list(anchor), .jwsRoots),
            Field("receipt", .list(anchor), .receiptRoots),
        ])

    private static let anchorEnvironments = Field(
        "environments", .oneOrMany(.words(StoreEnvironment.self)), .rootEnvironments)

    private static let anchor = Shape.either(
        .root,
        [
            Section(
                title: "roots",
                fields: [
                    Field("file", .certificatePath, required: true, .rootFile),
                    anchorEnvironments,
                ]),
            Section(
                title: "roots",
                fields: [
                    Field("fingerprint", .fingerprint, required: true, .rootFingerprint),
                    anchorEnvironments,
                ]),
        ])

    private static let environments = Section(
        title: "environments",
        fields: StoreEnvironment.allCases.map { environment in
            Field(environment.rawValue, .words(EnvironmentTrust.self), .environmentTrust)
        } + [Waiver.field])

    static let title = Field("title", .text, .title)
    static let chineseTitle = Field("title_zh", .text, .chineseTitle)

    private static let entitlement = Section(
        title: "entitlements",
        fields: [
            Field("title", .text, required: true, .title),
            chineseTitle, Waiver.field,
        ])

    private static let credit = Section(
        title: "credits",
        fields: [
            Field("title", .text, required: true, .title),
            chineseTitle,
            Field("on_refund", .words(CreditDefinition.OnRefund.self), .onRefund),
            Field("warn_before", .length(allowsCalendar: false), .warnBefore),
            Waiver.field,
        ])

    private static let group = Section(
        title: "groups",
        fields: [
            title, chineseTitle,
            Field("levels", .list(.name), required: true, .levels),
            Waiver.field,
        ])

    /// A section that holds nothing but settings.
    private static func settings(_ title: String) -> Shape {
        .section(
            Section(
                title: title,
                fields: PolicySetting.all(in: title).map { Field($0) } + [Waiver.field]))
    }
}

/// The keys of one product (spec 1.4, 1.7).
enum CatalogueGrammar {
    static let product = Section(
        title: "products",
        fields: [
            Field("kind", .words(ProductKind.self), required: true, .productKind),
            Field("group", .name, .productGroup),
            Field("level", .name, .productLevel),
            Field("period", .length(allowsCalendar: true), .period),
            Field("duration", .length(allowsCalendar: true), .duration),
            Field("stacking", .words(Stacking.self), .stacking),
            Field("stack", .name, .stack),
            PolicyGrammar.title, PolicyGrammar.chineseTitle,
            Field("price", .table(of: .currency, .amount), .price),
            Field("grants", .allOr(allExcept, .list(grant)), .grants),
            Field("credits", .list(.section(credit)), .productCredits),
            Field("retired", .date, .retired),
            Waiver.field,
        ])

    private static let allExcept = Section(
        title: "grants",
        fields: [Field("all_except", .oneOrMany(.name), required: true, .allExcept)],
        misplaced: ["entitlement": .allWithOthers, "credit": .allWithOthers])

    /// What a subscription delivers.
    private static let credit = Section(
        title: "credits",
        fields: [
            Field("credit", .name, required: true, .grantedCredit),
            Field("units", .whole(deliveredUnits), required: true, .unitsOfPeriod),
            Field("every", .length(allowsCalendar: true), .every),
            Field(
                "under_offer",
                .section(
                    Section(
                        title: "under_offer",
                        fields: OfferWord.allCases.filter { $0 != .none }.map { offer in
                            Field(offer.rawValue, .whole(deliveredUnits), .unitsUnderOffer)
                        })), .underOffer),
            expiry,
        ],
        misplaced: ["for": .lengthOfCredit])

    private static let deliveredUnits = 0...GrantedGift.possibleUnits.upperBound

    static let never = "never"
    static let withPeriod = "period"

    private static let expiry = Field("expires", .wordOrLength([withPeriod, never]), .expires)

    private static let grant = Shape.either(
        .name,
        [
            Section(
                title: "grants",
                fields: [
                    Field("credit", .name, required: true, .grantedCredit),
                    Field("units", .whole(GrantedGift.possibleUnits), required: true, .units),
                    expiry,
                ],
                misplaced: ["for": .lengthOfCredit]),
            Section(
                title: "grants",
                fields: [
                    Field("entitlement", .name, required: true, .grantedEntitlement),
                    Field("for", .length(allowsCalendar: true), .lasting),
                ]),
        ])
}
