/// What `policy show` says around its tables, in English.
extension TablePhrase {
    var english: String { heading ?? label }

    /// Titles of parts, and what is said below them.
    private var heading: String? {
        switch self {
        case .title: "The policy of {0}"
        case .digest: "policy {0}"
        case .productCount: "{0 product|products}"
        case .productsShown: "{0} of {1 product|products}"
        case .scope: "only what concerns {0}"
        case .contents: "Contents"
        case .nothingFound: "no product matches"
        case .access: "What each purchase gives in each state"
        case .accessIntro:
            "Rules are tried from top to bottom; the first that matches decides. A rule is listed "
                + "where it decides some case."
        case .noRights: "no product gives an entitlement"
        case .products: "Products"
        case .productsIntro: "By subscription group, best level first."
        case .entitlements: "Entitlements"
        case .credits: "Credits"
        case .switches: "When another account claims a purchase"
        case .switchesIntro:
            "By what the purchase's token says of the account that claims, and by the moment."
        case .dates: "Dates"
        case .datesIntro: "Times are in UTC; a day begins at midnight. Now: {0}"
        case .noDates: "nothing in the policy has a date"
        case .refunds: "What Apple is told when a customer asks for a refund"
        case .refundsIntro:
            "Only with the customer's consent. The first rule that matches decides."
        case .open: "What everybody may use for a while"
        case .openIntro: "Also accounts that nothing is known of. A block still withholds it."
        case .settings: "Settings"
        case .rules: "Access rules in order"
        case .rulesIntro: "Each with its conditions in full."
        default: nil
        }
    }

    private var label: String {
        switch self {
        case .kind: "Kind"
        case .state: "State"
        case .right: "Right"
        case .deciding: "Rules that decide, in order"
        case .product: "Product"
        case .level: "Level"
        case .period: "Period"
        case .price: "Price"
        case .gives: "Gives"
        case .givenBy: "Given by"
        case .name: "Name"
        case .token: "Token"
        case .owned: "Another account owns it"
        case .unowned: "Nobody owns it"
        case .setting: "Setting"
        case .value: "Value"
        case .yes: "yes"
        case .no: "no"
        case .depends: "depends"
        case .builtIn: "built-in"
        case .ifAll: "if {0}"
        case .unless: "unless {0}"
        case .only: "only {0}"
        case .elsewhere: "also counts in other environments"
        case .onlyElsewhere: "decides for other environments alone"
        case .idle: "decides nothing here"
        case .deliveries: "Credits count in other environments by these rules:"
        case .groupTitle: "Group {0}"
        case .ungrouped: "{0}, without a group"
        case .levels: "levels, best first: {0}"
        case .noLevel: "no level"
        case .retired: "retired: no new orders from {0}"
        case .nothing: "nothing"
        case .forLength: "{0} for {1}"
        case .credit: "{0} × {1}"
        case .openToAll: "open to everybody: {0}"
        case .debt: "a refund takes them back and may leave a debt"
        case .floor: "a refund takes back what is left"
        case .freeze: "a refund freezes the balance"
        case .ignore: "a refund takes nothing back"
        case .wholeKinds: "All products of kind {0}"
        case .someProducts: "{0}: {1}"
        case .andMore: "and {0} more"
        case .unmovable: "Never move to another account (built-in): {0}"
        case .familyNote: "A purchase never moves what the family shares (built-in)."
        case .anyMoment: "any moment"
        case .always: "always"
        default: ""
        }
    }
}

/// What `policy show` says of settings, in English.
extension SettingsPhrase {
    var english: String {
        switch self {
        case .bundle: "Bundle id"
        case .appleID: "Apple ID of the app"
        case .token: "Token of a purchase"
        case .tokenFromOrder: "names the order"
        case .tokenIsAccount: "is the account id"
        case .trusted: "recorded"
        case .refused: "refused"
        case .leeway: "Leeway of a late renewal"
        case .claimsFrom: "A person decides on consumables and passes bought before"
        case .environments: "Evidence of {0}"
        case .payWithin: "An order is given up after"
        case .matchWindow: "Between order and payment, at most"
        case .latePayment: "A payment after that"
        case .deliver: "is delivered"
        case .review: "waits for a person"
        case .duplicates: "Duplicate subscriptions are those"
        case .scopeGroup: "of one group"
        case .scopeEntitlement: "that give the same entitlement"
        case .before: "Before a second subscription"
        case .block: "the purchase is stopped"
        case .warn: "the customer is warned"
        case .allow: "nothing is said"
        case .kept: "Of two subscriptions is kept"
        case .longestPaid: "the one paid for longest"
        case .newest: "the newest"
        case .highestLevel: "the one of the best level"
        }
    }
}
