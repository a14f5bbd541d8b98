package import EntitlementModel
internal import StrictJSON

extension PlayStep {
    /// Reads one line: `alice buys gold as G1 @0`. Without an instant it happens at `now`; nil asks
    /// for one.
    package init(_ text: String, line: Int, now: Instant? = nil) throws(PlayMistake) {
        var words = try PlayWords(text, line: line, now: now)
        self.line = line
        at = words.at
        action = try PlayAction(&words)
        try words.end()
    }
}

extension PlayAction {
    init(_ words: inout PlayWords) throws(PlayMistake) {
        if words.take("Apple says") {
            self = try Self.saying(&words)
            return
        }
        if words.take("Apple deletes") {
            self = .appleDeletes(appleID: try words.next())
            return
        }
        let subject = try words.next()
        if words.take("buys") {
            self = .buys(try PlayOrder(account: subject, &words))
        } else if words.take("asks to buy") {
            self = .asksToBuy(try PlayOrder(account: subject, &words))
        } else if words.take("is approved") {
            self = .isApproved(subject)
        } else if words.take("is declined") {
            self = .isDeclined(subject)
        } else if words.take("restores") {
            self = .restores(account: subject, purchase: try words.next())
        } else if words.take("shows the receipt of") {
            self = .showsReceipt(account: subject, appleID: try words.next())
        } else if words.take("opens the app on") {
            self = .opensApp(account: subject, appleID: try words.next())
        } else {
            self = .befalls(subject, try PurchaseAction(&words))
        }
    }

    private static func saying(_ words: inout PlayWords) throws(PlayMistake) -> PlayAction {
        let name = try words.next().split(separator: "/", maxSplits: 1)
        guard let type = name.first else { throw words.notUnderstood }
        return .appleSays(
            type: String(type), subtype: name.count > 1 ? String(name[1]) : nil,
            about: words.take("about") ? try words.next() : nil)
    }
}

extension PlayOrder {
    /// `gold as G1 on A token offer 1 quantity 2 unpresented`, `coins as C order 6f96…`.
    fileprivate init(account: String, _ words: inout PlayWords) throws(PlayMistake) {
        product = try words.next()
        name = try words.name()
        self.account = account
        appleID = account
        while true {
            if words.take("on") {
                appleID = try words.next()
            } else if words.take("token null") {
                oddToken = .null
            } else if words.take("token empty") {
                oddToken = ""
            } else if words.take("token") {
                hasToken = true
            } else if words.take("order") {
                let id = try words.next()
                guard let token = AppAccountToken(id) else {
                    throw PlayMistake(line: words.line, .notUnderstood(id))
                }
                order = token
            } else if words.take("unpresented") {
                isPresented = false
            } else if words.take("quantity") {
                quantity = try words.number()
            } else if words.take("offer") {
                offer = try words.number()
                payment = try Self.payment(&words)
            } else if words.take("seats") {
                seats = try words.number()
            } else if words.take("commitment") {
                isCommitment = true
            } else if words.take("in") {
                storefront = try words.next()
            } else {
                return
            }
        }
    }

    /// `free 1w`, `upfront 3mo`, `each`.
    private static func payment(_ words: inout PlayWords) throws(PlayMistake) -> OfferPayment? {
        if words.take("free") { return .free(try words.period()) }
        if words.take("upfront") { return .upFront(try words.period()) }
        return words.take("each") ? .each : nil
    }
}

extension PurchaseAction {
    /// What is said without further words.
    private static let plain: [(phrase: String, action: PurchaseAction)] = [
        ("renews", .renews), ("grace ends", .graceEnds), ("recovers", .recovers),
        ("cancels", .cancels), ("resumes", .resumes), ("resubscribes", .resubscribes),
        ("keeps its product", .keepsItsProduct), ("refund is asked for", .refundIsAskedFor),
        ("refund is declined", .refundIsDeclined), ("refund is reversed", .refundIsReversed),
        ("is unshared", .isUnshared), ("price rises", .priceRises),
        ("price is accepted", .priceIsAccepted), ("gets a card", .getsACard),
        ("is finished", .isFinished),
    ]

    fileprivate init(_ words: inout PlayWords) throws(PlayMistake) {
        for (phrase, action) in Self.plain where words.take(phrase) {
            self = action
            return
        }
        if words.take("fails") {
            self = .fails(graceDays: words.take("grace") ? try words.number() : nil)
        } else if words.take("expires") {
            let cause: EndCause? =
                words.take("price") ? .price : words.take("product") ? .product : nil
            self = .expires(cause)
        } else if words.take("upgrades to") {
            self = .upgrades(to: try words.next())
        } else if words.take("downgrades to") {
            self = .downgrades(to: try words.next())
        } else if words.take("redeems offer") {
            self = .redeems(offer: try words.number())
        } else if words.take("is refunded") {
            self = .isRefunded(percent: words.take("percent") ? try words.number() : nil)
        } else if words.take("loses its card") {
            self = .losesItsCard(graceDays: words.take("grace") ? try words.number() : nil)
        } else if words.take("adds seats") {
            self = .addsSeats(try words.number())
        } else if words.take("loses seats") {
            self = .losesSeats(try words.number())
        } else if words.take("is extended") {
            self = .isExtended(days: try words.number())
        } else if words.take("is shared with") {
            let account = try words.next()
            self = .isShared(account: account, name: try words.name())
        } else {
            throw words.notUnderstood
        }
    }
}
