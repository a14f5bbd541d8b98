internal import EntitlementModel
internal import LedgerModel
internal import LedgerStore
internal import Testing

/// At least one entry of every kind, once with every field and once with none that may be left
/// out.
enum EntrySample {
    static func all() throws -> [(name: String, entry: LedgerEntry)] {
        try snapshots() + claims() + byHand() + evidence() + orders() + tickets()
            + credits()
            + refunds() + schedules() + erasures()
    }

    private static func erasures() throws -> [(name: String, entry: LedgerEntry)] {
        let bare = Erasure(
            reference: ErasureReference(unchecked: "request-1"), actor: "uid:7",
            digest: Erasure.digest(entries: [], evidence: []))
        var full = bare
        full.entries = [Erasure.Run](joining: [9_002, 9_003, 9_005])
        full.restated = [Erasure.Run](joining: [9_003])
        full.evidence = [Erasure.Run](joining: [9_004])
        full.digest = Erasure.digest(entries: full.entries, evidence: full.evidence)
        full.kinds = [Erasure.KindCount(kind: 12, count: 3)]
        full.names = [try Sample.digest(1)]
        full.delivered = [try Sample.digest(2)]
        full.owned = [try Sample.digest(3)]
        let restated = RestatedEntry(
            sequence: LedgerSequence(9_003), entry: Sample.block("pseudonym", id: "b-9"),
            pseudonyms: [AccountID(unchecked: "pseudonym")])
        return [
            ("bare erasure", .erasure(bare)), ("full erasure", .erasure(full)),
            ("restated entry", .restated(restated)),
        ]
    }

    private static func orders() throws -> [(name: String, entry: LedgerEntry)] {
        let ids = ["6f9619ff-8b86-4011-b42d-00cf4fc964ff", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"]
            .map { OrderID(unchecked: $0) }
        let bare = Order(
            id: ids[0], account: AccountID(unchecked: "alice"),
            product: ProductID(unchecked: "gold"), policy: try Sample.digest(6), actor: "uid:7")
        var full = bare
        full.id = ids[1]
        full.environment = .sandbox
        full.quantity = 3
        full.appleID = AppleIDKey(unchecked: "atx:sandbox:10")
        full.price = Price(milliunits: 4_990, currency: "USD")
        full.key = "k-1"
        full.parent = ids[0]
        let event = OrderEvent(order: ids[0], kind: .paying, state: .paying, actor: "uid:7")
        var match = event
        match.kind = .paid
        match.state = .paid
        match.transaction = Sample.key("2")
        match.storeCode = "2"
        match.basis = .price
        match.comparison = [
            OrderComparison(order: ids[0], appleID: .unknown, price: .same, distance: 60_000)
        ]
        match.differences = [.quantity, .price]
        match.account = AccountID(unchecked: "bob")
        match.presenter = AccountID(unchecked: "carol")
        match.grants = [GrantID(unchecked: "g-1")]
        match.reason = "paid"
        let repeated = RepeatedOrder(
            order: ids[0], account: AccountID(unchecked: "alice"),
            product: ProductID(unchecked: "gold"), key: "k-2", actor: "uid:7")
        var fullRepeated = repeated
        fullRepeated.environment = .sandbox
        fullRepeated.quantity = 3
        fullRepeated.appleID = full.appleID
        fullRepeated.price = full.price
        fullRepeated.key = "k-3"
        var callBack = event
        callBack.kind = .calledBack
        callBack.state = .paid
        return [
            ("bare order", .order(bare)), ("full order", .order(full)),
            ("bare order event", .orderEvent(event)), ("full order event", .orderEvent(match)),
            ("bare repeated order", .repeatedOrder(repeated)),
            ("full repeated order", .repeatedOrder(fullRepeated)),
            ("call-back", .orderEvent(callBack)),
        ] + storeReports()
    }

    /// One is closed, with all that may be said of it.
    private static func tickets() -> [(name: String, entry: LedgerEntry)] {
        let full = EvidenceTicket(
            .accountToken, evidence: LedgerSequence(2), environment: .sandbox,
            transaction: TransactionID(unchecked: "1"), account: AccountID(unchecked: "alice"),
            moment: .restore, order: OrderID(unchecked: "6f9619ff-8b86-4011-b42d-00cf4fc964ff"),
            token: AppAccountToken("3f2504e0-4f89-41d3-9a0c-0305e82c3301"))
        return [
            ("bare ticket", .evidenceTicket(EvidenceTicket(.oldReceipt))),
            ("full ticket", .evidenceTicket(full)),
            ("bare closing", .ticketClosed(TicketClosing(ticket: .zero, outcome: .judged))),
            (
                "full closing",
                .ticketClosed(
                    TicketClosing(
                        ticket: LedgerSequence(2), outcome: .givenUp,
                        evidence: LedgerSequence(1), code: "app-store.rejected", status: 21_003))
            ),
        ]
    }

    private static func credits() -> [(name: String, entry: LedgerEntry)] {
        let (alice, bob) = (AccountID(unchecked: "alice"), AccountID(unchecked: "bob"))
        let (coins, gems) = (CreditName(unchecked: "coins"), CreditName(unchecked: "gems"))
        let spend = CreditSpend(
            account: alice, parts: [CreditPart(coins, 5)], key: "k-4", actor: "uid:7")
        let fullSpend = CreditSpend(
            account: alice, environment: .sandbox,
            parts: [CreditPart(coins, 5), CreditPart(gems, 1)],
            key: "k-5", actor: "uid:7", reason: "level 3", reference: "game 17")
        let hold = CreditHold(
            account: alice, parts: spend.parts, until: Sample.day(1), key: nil, actor: "uid:7")
        let fullHold = CreditHold(
            account: alice, environment: .sandbox, parts: fullSpend.parts, until: Sample.day(2),
            key: "k-6", origin: LedgerSequence(7), actor: "uid:7", reason: "bet",
            reference: "game 18")
        let end = HoldEnd(hold: LedgerSequence(7), account: alice, actor: "uid:7")
        let fullEnd = HoldEnd(
            hold: LedgerSequence(8), account: alice, captured: fullSpend.parts, actor: "uid:7",
            reason: "lost", reference: "game 18")
        let reversal = SpendReversal(
            spend: LedgerSequence(9), account: alice, spender: alice, parts: spend.parts,
            key: "k-7", actor: "uid:7")
        var fullReversal = reversal
        (fullReversal.account, fullReversal.key) = (bob, "k-8")
        (fullReversal.environment, fullReversal.reason) = (.sandbox, "server fault")
        let thaw = CreditThaw(
            account: alice, environment: .production, credit: coins,
            transaction: Sample.key("7"), refundedAt: Sample.day(3), actor: "uid:0",
            reason: "talked to her")
        let carrying = AccountMerge(
            from: bob, into: alice, actor: "uid:0", reason: "one person",
            credits: [CarriedCredit(environment: .production, credit: coins, units: -30)],
            rules: Sample.rules)
        return [
            ("bare spend", .creditSpend(spend)), ("full spend", .creditSpend(fullSpend)),
            ("bare hold", .creditHold(hold)), ("full hold", .creditHold(fullHold)),
            ("release", .holdEnd(end)), ("capture", .holdEnd(fullEnd)),
            ("bare reversal", .spendReversal(reversal)),
            ("full reversal", .spendReversal(fullReversal)),
            ("thaw", .creditThaw(thaw)), ("merge of a debt", .accountMerge(carrying)),
        ]
    }

    private static func schedules() throws -> [(name: String, entry: LedgerEntry)] {
        let bare = PolicySchedule(
            digest: try Sample.digest(6),
            files: [.init(path: "app.yaml", bytes: Array("usher: 1\n".utf8))],
            dueDate: Sample.day(9), base: try Sample.digest(7), actor: "uid:7",
            reason: "spring prices")
        var full = bare
        full.files.append(.init(path: "root.der", bytes: [0x30, 0x82, 0xFF, 0x00]))
        full.accountsAtMost = 12
        let applied = PolicyActivation(
            digest: bare.digest, files: bare.files,
            acceptance: .init(
                means: .person, actor: "uid:7", reason: "spring prices", accountsAtMost: 12),
            schedule: LedgerSequence(3), heldBack: try Sample.digest(8), rules: Sample.rules)
        return [
            ("bare schedule", .policySchedule(bare)), ("full schedule", .policySchedule(full)),
            ("scheduled activation", .policyActivation(applied)),
            (
                "schedule taken back",
                .policyScheduleEnd(
                    PolicyScheduleEnd(
                        schedule: LedgerSequence(4), outcome: .takenBack, actor: "uid:7",
                        reason: "too early"))
            ),
            (
                "schedule refused",
                .policyScheduleEnd(
                    PolicyScheduleEnd(
                        schedule: LedgerSequence(5), outcome: .refused,
                        obstacle: .tooManyLosing, base: try Sample.digest(7), losing: 13))
            ),
            (
                "bare end of a schedule",
                .policyScheduleEnd(
                    PolicyScheduleEnd(schedule: LedgerSequence(6), outcome: .alreadyInForce))
            ),
        ]
    }

    private static func refunds() throws -> [(name: String, entry: LedgerEntry)] {
        let consent = RefundConsent(
            account: AccountID(unchecked: "alice"), isGiven: true, actor: "uid:7",
            reason: "the terms of June")
        var withdrawn = consent
        withdrawn.isGiven = false
        let statement = RefundStatement(
            delivery: .delivered, hadSample: true, preference: .grantProrated, consumed: 12_500,
            isFirstVersion: true, token: AppAccountToken("3f2504e0-4f89-41d3-9a0c-0305e82c3301"))
        let bare = RefundAnswer(request: LedgerSequence(3), outcome: .byPerson)
        let full = RefundAnswer(
            request: LedgerSequence(4), outcome: .refused, statement: statement,
            rule: RuleReference(name: "coins", file: "rules.yaml", line: 7),
            policy: try Sample.digest(8), code: "app-store.rejected", status: 4_000_047,
            actor: "uid:7", reason: "told by hand")
        var sent = full
        sent.request = LedgerSequence(5)
        sent.outcome = .sent
        sent.statement = RefundStatement(
            delivery: .other, hadSample: false, preference: .decline)
        var begun = sent
        begun.outcome = .begun
        return [
            ("begun answer", .refundAnswer(begun)),
            ("consent", .refundConsent(consent)), ("consent withdrawn", .refundConsent(withdrawn)),
            ("bare refund answer", .refundAnswer(bare)),
            (
                "promise",
                .orderPromise(
                    OrderPromise(
                        transaction: Sample.key("1"), order: OrderID(unchecked: "an-order"),
                        soldAt: Sample.day(1)))
            ),
            (
                "promise that ends",
                .orderPromise(
                    OrderPromise(
                        transaction: Sample.key("1"), order: OrderID(unchecked: "an-order"),
                        soldAt: nil))
            ),
            ("full refund answer", .refundAnswer(full)), ("sent answer", .refundAnswer(sent)),
        ]
            + ["CONSUMPTION_REQUEST", "REFUND_DECLINED", "REFUND"].map { type in
                (
                    type,
                    .notification(
                        NotificationFact(
                            environment: .production, uuid: "n-\(type.lowercased())", type: type,
                            subtype: nil, signedDate: Instant(milliseconds: 1_780_000_000_000),
                            evidence: LedgerSequence(1)))
                )
            }
    }

    private static func storeReports() -> [(name: String, entry: LedgerEntry)] {
        let bare = StoreReport(account: AccountID(unchecked: "alice"), actor: "uid:7")
        var full = bare
        full.environment = .sandbox
        full.invalidProducts = [ProductID(unchecked: "gold"), ProductID(unchecked: "pass")]
        let product = ProductID(unchecked: "coins")
        full.payments = [
            FailedPayment(product: product, outcome: .cancelled),
            FailedPayment(
                product: product, outcome: .failed, storeCode: "SKError 2",
                occurredAt: Instant(milliseconds: 1_780_000_000_123)),
        ]
        var clean = bare
        clean.invalidProducts = []
        return [
            ("bare store report", .storeReport(bare)),
            ("full store report", .storeReport(full)),
            ("store report without invalid ids", .storeReport(clean)),
        ]
    }

    private static func snapshots() throws -> [(name: String, entry: LedgerEntry)] {
        let bare = try Sample.transaction("2", of: "1")
        return [
            ("bare transaction", Sample.fact(bare)),
            ("full transaction", Sample.fact(try fullTransaction())),
            ("transaction with unknown words", Sample.fact(try unknownWords())),
            ("bare renewal", renewal(try Sample.renewal(of: "1"))),
            ("full renewal", renewal(try fullRenewal())),
            ("app transaction of an account", try appTransaction("10", account: "alice")),
            ("app transaction without keys", try appTransaction(nil, account: nil)),
        ]
    }

    private static func claims() throws -> [(name: String, entry: LedgerEntry)] {
        let alice = AccountID(unchecked: "alice")
        return [
            ("bare claim", Sample.claim("alice", "2")),
            (
                "full claim",
                .claim(
                    Claim(
                        account: alice, transaction: Sample.key("2"), moment: .support,
                        order: OrderID(unchecked: "o-1"), evidence: LedgerSequence(4)))
            ),
            (
                "accepted decision on a lineage",
                try Sample.decision(.lineage(Sample.lineage("1")), after: ["alice"])
            ),
            (
                "refused decision on a purchase",
                .decision(
                    OwnershipDecision(
                        cause: LedgerSequence(.max), unit: .purchase(Sample.key("7")),
                        transactionID: TransactionID(unchecked: "7"), outcome: .denied(.token),
                        rule: RuleReference(name: "no \"token\"", file: "a/b.yaml", line: 12),
                        policy: try Sample.digest(0xFF), rules: Sample.rules,
                        ownersBefore: [alice], ownersAfter: [alice],
                        from: Instant(milliseconds: .max)))
            ),
            (
                "bare ruling",
                .ruling(
                    Ruling(
                        verb: .release, unit: .lineage(Sample.lineage("1")), actor: "uid:0",
                        reason: ""))
            ),
            (
                "full ruling",
                .ruling(
                    Ruling(
                        verb: .transfer, unit: .purchase(Sample.key("7")),
                        claim: LedgerSequence(3), decision: LedgerSequence(4), account: alice,
                        actor: "uid:0", reason: "她换了账号 \u{1F642}"))
            ),
        ]
    }

    private static func byHand() throws -> [(name: String, entry: LedgerEntry)] {
        let (alice, actor) = (AccountID(unchecked: "alice"), "uid:1000")
        return [
            (
                "grant of an entitlement",
                grant("g-1", .entitlement(EntitlementName(unchecked: "premium")), until: nil)
            ),
            (
                "grant of credits",
                grant("g-2", .credit(CreditName(unchecked: "coins"), units: -5), until: 90)
            ),
            (
                "grant revocation",
                .grantRevocation(
                    GrantRevocation(
                        grant: GrantID(unchecked: "g-1"), account: alice, actor: actor,
                        reason: "line\nbreak"))
            ),
            (
                "revocation of a gift that is undone",
                .grantRevocation(
                    GrantRevocation(
                        grant: GrantID(unchecked: "g-1"), account: alice, actor: actor,
                        reason: "order", effect: .undone))
            ),
            (
                "revocation of a gift that is paid",
                .grantRevocation(
                    GrantRevocation(
                        grant: GrantID(unchecked: "g-1"), account: alice, actor: actor,
                        reason: "order",
                        effect: .paid(
                            TransactionKey(.sandbox, TransactionID(unchecked: "7")),
                            given: Sample.day(3))))
            ),
            ("block", Sample.block("alice", id: "b-1")),
            (
                "block removal",
                .blockRemoval(
                    BlockRemoval(
                        block: BlockID(unchecked: "b-1"), account: alice, actor: actor,
                        reason: "\u{0}\u{7F}\\"))
            ),
            (
                "account token",
                try Sample.registration("alice", "3F2504E0-4F89-41D3-9A0C-0305E82C3301")
            ),
            (
                "account merge",
                .accountMerge(
                    AccountMerge(
                        from: AccountID(unchecked: "guest-1"), into: alice, actor: actor,
                        reason: "signed up", rules: Sample.rules))
            ),
            (
                "undone account merge",
                .accountMerge(
                    AccountMerge(
                        from: AccountID(unchecked: "guest-1"), into: alice,
                        undoes: LedgerSequence(7), actor: actor, reason: "two people",
                        rules: Sample.rules))
            ),
        ]
    }

    private static func evidence() throws -> [(name: String, entry: LedgerEntry)] {
        [
            (
                "evidence",
                Sample.evidence(Array(0...255), digest: try Sample.digest(4))
            ),
            ("notification", Sample.notification("a")),
            (
                "notification with a subtype",
                .notification(
                    NotificationFact(
                        environment: .localTesting, uuid: "b", type: "REFUND", subtype: "NEW",
                        signedDate: Sample.day(1), evidence: LedgerSequence(1)))
            ),
            (
                "notification without a purchase",
                .notification(
                    NotificationFact(
                        environment: .production, uuid: "c", type: "RESCIND_CONSENT", subtype: nil,
                        signedDate: Sample.day(1), evidence: LedgerSequence(1),
                        notice: NotificationNames(
                            appTransactionID: AppTransactionID(unchecked: "7001"),
                            transactionID: TransactionID(unchecked: "100"),
                            productID: ProductID(unchecked: "gold"))))
            ),
            (
                "notification that names nobody",
                .notification(
                    NotificationFact(
                        environment: .sandbox, uuid: "d", type: "EXTERNAL_PURCHASE_TOKEN",
                        subtype: "UNREPORTED", signedDate: Sample.day(1),
                        evidence: LedgerSequence(1), notice: NotificationNames()))
            ),
            (
                "refusal",
                .refusal(EvidenceRefusal(digest: try Sample.digest(5), code: "jws.signature"))
            ),
            (
                "refusal of what was handed in for an order",
                .refusal(
                    EvidenceRefusal(
                        digest: try Sample.digest(5), code: "jws.signature",
                        order: OrderID(unchecked: "0f8fad5b-d9cb-469f-a165-70867728950e")))
            ),
            (
                "quarantine of a transaction",
                .quarantine(
                    Quarantine(
                        evidence: LedgerSequence(1), code: "dates", transaction: Sample.key("2")))
            ),
            (
                "quarantine",
                .quarantine(Quarantine(evidence: LedgerSequence(1), code: "not-understood"))
            ),
            (
                "policy activation",
                .policyActivation(
                    PolicyActivation(
                        digest: try Sample.digest(6),
                        files: [
                            .init(
                                path: "app.yaml",
                                bytes: Array("usher: 1\n\t\"高\" \u{1}".utf8)),
                            .init(path: "root.der", bytes: [0x30, 0x82, 0xFF, 0x00]),
                        ], rules: 1))
            ),
        ]
    }

    private static func fullTransaction() throws -> TransactionSnapshot {
        var snapshot = try Sample.transaction(
            "2", of: "1", apple: "10", receipt: 3,
            token: "3f2504e0-4f89-41d3-9a0c-0305e82c3301")
        snapshot.webOrderLineItemID = WebOrderLineItemID(unchecked: "77")
        snapshot.kind = .known(.autoRenewable)
        snapshot.subscriptionGroupID = SubscriptionGroupID(unchecked: "g")
        snapshot.originalPurchaseDate = Sample.day(-10)
        snapshot.expiresDate = Sample.day(30)
        snapshot.quantity = 3
        snapshot.ownership = .familyShared
        snapshot.isUpgraded = true
        snapshot.revocation = Revocation(
            date: Sample.day(2), reason: 1, type: .known(.prorated), percentage: 50_000)
        snapshot.offer = Offer(
            type: 2, identifier: "spring", discountType: "FREE_TRIAL", period: "P1M")
        snapshot.storefront = "CHN"
        snapshot.transactionReason = .known(.renewal)
        snapshot.price = Price(milliunits: 68_000, currency: "CNY")
        snapshot.billingPlanType = "MONTHLY"
        snapshot.commitmentExpiresDate = Sample.day(365)
        snapshot.commitmentPeriod = 3
        snapshot.commitmentPeriods = 12
        snapshot.multiSeat = MultiSeatInfo(invitationManagement: "APPLE", revokedQuantity: 2)
        return snapshot
    }

    /// Words that we know in another place, as Apple might one day spell its own.
    private static func unknownWords() throws -> TransactionSnapshot {
        var snapshot = try Sample.transaction("3", of: "1")
        snapshot.kind = .unknown("auto-renewable")
        snapshot.ownership = .unknown("purchased")
        snapshot.transactionReason = .unknown("PURCHASE")
        snapshot.revocation = Revocation(date: Sample.day(1), type: .unknown("REFUND_FULL"))
        snapshot.offer = Offer(type: 9)
        snapshot.price = Price(milliunits: -1)
        return snapshot
    }

    private static func fullRenewal() throws -> RenewalSnapshot {
        var snapshot = try Sample.renewal(of: "1", apple: "10", digest: 2)
        snapshot.productID = ProductID(unchecked: "gold.monthly")
        snapshot.autoRenewProductID = ProductID(unchecked: "silver.monthly")
        snapshot.autoRenewStatus = false
        snapshot.expirationIntent = .other(7)
        snapshot.isInBillingRetryPeriod = true
        snapshot.gracePeriodExpiresDate = Sample.day(46)
        snapshot.renewalDate = Sample.day(30)
        snapshot.renewalPrice = Price(milliunits: 9_990, currency: "USD")
        snapshot.commitment = RenewalCommitment(
            autoRenewStatus: false, autoRenewProductID: ProductID(unchecked: "gold.yearly"),
            renewalBillingPlanType: "MONTHLY", renewalDate: Sample.day(365),
            renewalPrice: Price(milliunits: 119_880, currency: "USD"))
        snapshot.offer = Offer(type: 1)
        snapshot.appAccountToken = AppAccountToken("3f2504e0-4f89-41d3-9a0c-0305e82c3301")
        snapshot.renewalBillingPlanType = "BILLED_UPFRONT"
        return snapshot
    }

    private static func renewal(_ snapshot: RenewalSnapshot) -> LedgerEntry {
        .renewal(RenewalFact(snapshot: snapshot, evidence: LedgerSequence(1)))
    }

    private static func appTransaction(_ id: String?, account: String?) throws -> LedgerEntry {
        .appTransaction(
            AppTransactionFact(
                snapshot: AppTransactionSnapshot(
                    environment: .sandbox, bundleID: BundleID(unchecked: "com.example.reader"),
                    appTransactionID: id.map { AppTransactionID(unchecked: $0) },
                    signedDate: Sample.start, source: try Sample.source()),
                account: account.map { AccountID(unchecked: $0) }, evidence: LedgerSequence(1)))
    }

    private static func grant(_ id: String, _ gift: GrantedGift, until day: Int64?) -> LedgerEntry {
        .grant(
            Grant(
                id: GrantID(unchecked: id), account: AccountID(unchecked: "alice"),
                environment: .production, gift: gift, from: Sample.start,
                until: day.map(Sample.day), actor: "uid:0", reason: "courtesy"))
    }
}
