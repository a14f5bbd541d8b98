internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON
internal import Testing

/// What verifyReceipt answers, in all the ways in which it has been written (spec 4.6).
@Suite("Answers of verifyReceipt", .timeLimit(.minutes(20)))
struct AnswerTests {
    static let asked = TestBench.now.advanced(byMilliseconds: -60_000)
    static let created = TestBench.now.advanced(byMilliseconds: -86_400_000)
    static let bought = Instant(milliseconds: 1_779_000_000_000)

    /// One purchase under Apple's names; every value a string.
    static let purchase: JSONValue = [
        "quantity": "1", "product_id": "gold", "transaction_id": "101",
        "original_transaction_id": "100", "purchase_date": "2026-05-17 06:40:00 Etc/GMT",
        "purchase_date_ms": "1779000000000",
        "purchase_date_pst": "2026-05-16 23:40:00 America/Los_Angeles",
        "original_purchase_date_ms": "1778000000000", "expires_date_ms": "1781678400000",
        "web_order_line_item_id": "900", "is_trial_period": "false",
        "is_in_intro_offer_period": "false",
    ]

    static let receipt: JSONValue = [
        "receipt_type": "Production", "adam_id": 1_234_567_890, "app_item_id": 1_234_567_890,
        "bundle_id": "com.example.reader", "request_date_ms": .string("\(asked.milliseconds)"),
        "receipt_creation_date_ms": .string("\(created.milliseconds)"), "in_app": [],
    ]

    static func answer(_ change: (inout JSONValue) -> Void = { _ in }) -> JSONValue {
        var answer: JSONValue = [
            "status": 0, "environment": "Production", "receipt": receipt,
            "latest_receipt_info": [purchase],
        ]
        change(&answer)
        return answer
    }

    static func latest(_ name: String, _ value: JSONValue?) -> JSONValue {
        answer { answer in
            var purchase = purchase
            purchase[name] = value
            answer["latest_receipt_info"] = [purchase]
        }
    }

    private func verdict(
        _ answer: JSONValue, _ origin: AnswerOrigin = .fetched
    ) -> EvidenceVerdict {
        TestBench.apple.verifier.verifyAnswer(
            Array(answer.text.utf8), origin, at: TestBench.now)
    }

    private func transaction(_ answer: JSONValue) throws -> TransactionSnapshot {
        let evidence = try #require(verdict(answer).accepted)
        #expect(evidence.implausible.isEmpty)
        return try #require(evidence.transactions.first)
    }

    @Test(
        "tells of the app itself by the number of its download",
        arguments: [
            (JSONValue.integer(77), true), ("77", true), (0, false), ("0", false), ("x7", false),
            (nil, false),
        ] as [(JSONValue?, Bool)])
    func app(_ download: JSONValue?, isKnown: Bool) throws {
        let answer = Self.answer { answer in
            var receipt = Self.receipt
            receipt["download_id"] = download
            receipt["original_purchase_date_ms"] = "1335859200000"
            receipt["original_application_version"] = "1.4"
            answer["receipt"] = receipt
        }
        let app = try #require(verdict(answer, .imported).accepted).appPurchase
        #expect((app != nil) == isKnown)
        guard isKnown else { return }
        #expect(app?.transactionID.text == "app-download-77")
        #expect(app?.firstVersion == "1.4")
        #expect(app?.purchaseDate.milliseconds == 1_335_859_200_000)
        #expect(app?.source.trust == .imported)
    }

    @Test("says as much of a purchase as its form can", arguments: AnswerOrigin.allCases)
    func purchase(_ origin: AnswerOrigin) throws {
        let answer = Self.answer { answer in
            var purchase = Self.purchase
            for (name, value) in [
                ("in_app_ownership_type", "FAMILY_SHARED"), ("is_upgraded", "true"),
                ("subscription_group_identifier", "20000001"), ("offer_code_ref_name", "spring"),
                ("app_account_token", "002E14D5-51F5-4503-B5A8-C3A1AF68EB20"),
                ("cancellation_date_ms", "1779500000000"), ("cancellation_reason", "1"),
            ] { purchase[name] = .string(value) }
            answer["latest_receipt_info"] = [purchase]
        }
        let evidence = try #require(verdict(answer, origin).accepted)
        #expect(evidence.kind == origin.kind)
        #expect(evidence.judgedAt == Self.asked)
        #expect(evidence.environment == .production)
        let snapshot = try #require(evidence.transactions.first)
        #expect(evidence.transactions.count == 1)
        #expect(snapshot.transactionID.text == "101")
        #expect(snapshot.originalTransactionID.text == "100")
        #expect(snapshot.productID.text == "gold")
        #expect(snapshot.purchaseDate == Self.bought)
        #expect(snapshot.originalPurchaseDate == Instant(milliseconds: 1_778_000_000_000))
        #expect(snapshot.expiresDate == Instant(milliseconds: 1_781_678_400_000))
        #expect(snapshot.webOrderLineItemID?.text == "900")
        #expect(snapshot.signedDate == Self.asked)
        #expect(snapshot.kind == nil)
        #expect(snapshot.ownership == .familyShared)
        #expect(snapshot.isUpgraded)
        #expect(snapshot.subscriptionGroupID?.text == "20000001")
        #expect(snapshot.appAccountToken?.text == "002e14d5-51f5-4503-b5a8-c3a1af68eb20")
        #expect(snapshot.offer == Offer(type: 3, identifier: "spring"))
        #expect(
            snapshot.revocation
                == Revocation(date: Instant(milliseconds: 1_779_500_000_000), reason: 1))
        #expect(snapshot.source.form == .latestReceiptInfo)
        #expect(
            snapshot.source.trust == (origin == .fetched ? .appleAnswer : .imported))
    }

    /// What the values look like in one answer or another.
    static let spellings: [(name: String, answer: JSONValue)] = [
        ("ids as numbers", latest("original_transaction_id", 100)),
        ("a number for the quantity", latest("quantity", 1)),
        ("flags as what they are", latest("is_trial_period", false)),
        ("flags as digits", latest("is_in_intro_offer_period", "0")),
        ("dates as numbers", latest("purchase_date_ms", 1_779_000_000_000)),
        ("no milliseconds", latest("purchase_date_ms", nil)),
        ("empty milliseconds", latest("purchase_date_ms", "")),
        (
            "milliseconds under the plain name",
            answer { answer in
                var purchase = purchase
                purchase["expires_date_ms"] = nil
                purchase["expires_date"] = "1781678400000"
                purchase["expires_date_formatted"] = "2026-06-17 06:40:00 Etc/GMT"
                answer["latest_receipt_info"] = [purchase]
            }
        ),
        (
            "an end in words only",
            answer { answer in
                var purchase = purchase
                purchase["expires_date_ms"] = nil
                purchase["expires_date_formatted"] = "2026-06-17 06:40:00 Etc/GMT"
                answer["latest_receipt_info"] = [purchase]
            }
        ),
        ("null for nothing", latest("cancellation_date_ms", .null)),
        ("an empty cancellation", latest("cancellation_date", "")),
        ("a token that is no UUID", latest("app_account_token", "alice")),
        ("a member that Apple adds", latest("new_member", [1, ["a": 2]])),
        (
            "an object in place of the list",
            answer { $0["latest_receipt_info"] = purchase }
        ),
    ]

    @Test("reads every spelling of a purchase as the same", arguments: spellings.indices)
    func spelling(_ index: Int) throws {
        let snapshot = try transaction(Self.spellings[index].answer)
        #expect(snapshot.transactionID.text == "101")
        #expect(snapshot.originalTransactionID.text == "100")
        #expect(snapshot.purchaseDate == Self.bought)
        #expect(snapshot.expiresDate == Instant(milliseconds: 1_781_678_400_000))
        #expect(snapshot.quantity == 1)
        #expect(snapshot.revocation == nil)
        #expect(snapshot.offer == nil)
        #expect(snapshot.appAccountToken == nil)
        #expect(!snapshot.isUpgraded)
    }

    static let offers: [(member: String, value: JSONValue, offer: Offer?)] = [
        ("is_trial_period", "true", Offer(type: 1, discountType: "FREE_TRIAL")),
        ("is_trial_period", true, Offer(type: 1, discountType: "FREE_TRIAL")),
        ("is_in_intro_offer_period", "true", Offer(type: 1)),
        ("is_in_intro_offer_period", 1, Offer(type: 1)),
        ("promotional_offer_id", "winter", Offer(type: 2, identifier: "winter")),
        ("offer_code_ref_name", "spring", Offer(type: 3, identifier: "spring")),
        ("promotional_offer_id", "", nil),
        ("web_order_line_item_id", "0", nil),
    ]

    @Test(
        "knows trials, introductory prices, promotional offers and offer codes",
        arguments: offers.indices)
    func offer(_ index: Int) throws {
        let (member, value, offer) = Self.offers[index]
        let snapshot = try transaction(Self.latest(member, value))
        #expect(snapshot.offer == offer)
        if member == "web_order_line_item_id" { #expect(snapshot.webOrderLineItemID == nil) }
    }

    /// `in_app` is the receipt's, so a cancellation that came after it does not vanish by it.
    @Test("in_app speaks of the receipt's creation, and not of who is related to whom")
    func inApp() throws {
        let answer = Self.answer { answer in
            var receipt = Self.receipt
            var purchase = Self.purchase
            purchase["in_app_ownership_type"] = "PURCHASED"
            purchase["is_upgraded"] = "true"
            receipt["in_app"] = [purchase]
            answer["receipt"] = receipt
            answer["latest_receipt_info"] = nil
        }
        let snapshot = try transaction(answer)
        #expect(snapshot.signedDate == Self.created)
        #expect(snapshot.source.form == .inApp)
        #expect(snapshot.ownership == .notStated)
        #expect(!snapshot.isUpgraded)
    }

    @Test("all that is in one answer belongs to one Apple ID")
    func oneAppleID() throws {
        let answer = Self.answer { answer in
            var (receipt, other) = (Self.receipt, Self.purchase)
            other["transaction_id"] = "200"
            other["original_transaction_id"] = "200"
            receipt["in_app"] = [other]
            answer["receipt"] = receipt
            answer["pending_renewal_info"] = [["original_transaction_id": "100"]]
        }
        let evidence = try #require(verdict(answer).accepted)
        let receipts =
            evidence.transactions.map(\.source.receipt) + evidence.renewals.map(\.source.receipt)
        #expect(receipts.count == 3)
        #expect(Set(receipts).count == 1)
        #expect(receipts[0] != nil)
        let later = Self.answer { answer in
            var receipt = Self.receipt
            receipt["request_date_ms"] = "1779999999999"
            answer["receipt"] = receipt
        }
        #expect(try transaction(later).source.receipt != receipts[0])
    }

    static let renewals: [(name: String, members: [(String, JSONValue)])] = [
        (
            "strings",
            [
                ("auto_renew_status", "0"), ("expiration_intent", "2"),
                ("is_in_billing_retry_period", "1"),
                ("grace_period_expires_date_ms", "1779600000000"),
            ]
        ),
        (
            "numbers and flags",
            [
                ("auto_renew_status", 0), ("expiration_intent", 2),
                ("is_in_billing_retry_period", true),
                ("grace_period_expires_date", "2026-05-24 05:20:00 Etc/GMT"),
            ]
        ),
    ]

    @Test("pending_renewal_info is a renewal snapshot", arguments: renewals.indices)
    func renewal(_ index: Int) throws {
        let answer = Self.answer { answer in
            var renewal: JSONValue = [
                "original_transaction_id": "100", "product_id": "gold",
                "auto_renew_product_id": "silver",
            ]
            for (name, value) in Self.renewals[index].members { renewal[name] = value }
            answer["pending_renewal_info"] = [renewal]
        }
        let evidence = try #require(verdict(answer).accepted)
        let renewal = try #require(evidence.renewals.first)
        #expect(renewal.originalTransactionID.text == "100")
        #expect(renewal.productID?.text == "gold")
        #expect(renewal.autoRenewProductID?.text == "silver")
        #expect(renewal.autoRenewStatus == false)
        #expect(renewal.expirationIntent == .billingError)
        #expect(renewal.isInBillingRetryPeriod == true)
        #expect(renewal.gracePeriodExpiresDate == Instant(milliseconds: 1_779_600_000_000))
        #expect(renewal.renewalDate == nil)
        #expect(renewal.signedDate == Self.asked)
        #expect(renewal.source.form == .latestReceiptInfo)
    }
}

/// The form of iOS 6, and what is refused or kept aside.
extension AnswerTests {
    /// One purchase, with the app next to it.
    static func ofIOS6(_ status: Int64, _ latest: String) -> JSONValue {
        let one: JSONValue = [
            "bid": "com.example.reader", "bvrs": "1", "item_id": "555", "quantity": "1",
            "unique_identifier": "abc", "app_item_id": "1234567890", "product_id": "gold",
            "transaction_id": "100", "original_transaction_id": "100",
            "purchase_date": "2026-05-17 06:40:00 Etc/GMT", "purchase_date_ms": "1779000000000",
            "expires_date": "1779600000000",
            "expires_date_formatted": "2026-05-24 05:20:00 Etc/GMT",
        ]
        var newest = one
        newest["transaction_id"] = "102"
        newest["purchase_date_ms"] = "1779600000000"
        newest["expires_date"] = "1779900000000"
        var answer: JSONValue = [
            "status": .integer(status), "environment": "Production", "receipt": one,
            "auto_renew_status": 0, "auto_renew_product_id": "gold", "expiration_intent": "1",
        ]
        answer[latest] = newest
        return answer
    }

    @Test(
        "the form of iOS 6 has objects, and the renewal at the top",
        arguments: [(Int64(0), "latest_receipt_info"), (21_006, "latest_expired_receipt_info")])
    func ofIOS6(_ status: Int64, _ member: String) throws {
        let evidence = try #require(verdict(Self.ofIOS6(status, member)).accepted)
        #expect(evidence.implausible.isEmpty)
        #expect(evidence.transactions.map(\.transactionID.text) == ["100", "102"])
        #expect(evidence.transactions.map(\.source.form) == [.inApp, .latestReceiptInfo])
        // The receipt was made with its purchase, and no later.
        #expect(evidence.transactions[0].signedDate == Self.bought)
        #expect(evidence.transactions[1].signedDate == TestBench.now)
        #expect(
            evidence.transactions[1].expiresDate == Instant(milliseconds: 1_779_900_000_000))
        #expect(evidence.renewals.map(\.autoRenewStatus) == [false])
        #expect(evidence.renewals.map(\.originalTransactionID.text) == ["100"])
        #expect(evidence.renewals.map(\.expirationIntent) == [.cancelled])
    }

    @Test("an import that does not say when it was answered is as old as what it says")
    func importWithoutInstant() throws {
        let imported = verdict(Self.ofIOS6(0, "latest_receipt_info"), .imported)
        let evidence = try #require(imported.accepted)
        #expect(evidence.judgedAt == Instant(milliseconds: 1_779_600_000_000))
        #expect(evidence.transactions[1].signedDate == evidence.judgedAt)
    }

    @Test("who imports an answer that says no environment may state it; none is overruled")
    func importedEnvironment() throws {
        func verdict(_ answer: JSONValue, _ environment: StoreEnvironment?) -> EvidenceVerdict {
            TestBench.apple.verifier.verifyAnswer(
                Array(answer.text.utf8), .imported, in: environment, at: TestBench.now)
        }
        var bare = Self.ofIOS6(0, "latest_receipt_info")
        bare["environment"] = nil
        #expect(
            verdict(bare, nil).refusal?.text(.english)
                == "a required member is missing: 'environment'")
        let evidence = try #require(verdict(bare, .sandbox).accepted)
        #expect(evidence.environment == .sandbox)
        // It is kept with what it says now, and judged so again.
        let again = TestBench.apple.verifier.verifyAnswer(
            evidence.bytes, .imported, at: TestBench.now)
        #expect(again.accepted?.environment == .sandbox)
        let other = verdict(Self.ofIOS6(0, "latest_receipt_info"), .sandbox)
        #expect(other.refusal?.code == .bindEnvironment)
        #expect(other.refusal?.detail == .mismatch(expected: "sandbox", found: "production"))
    }

    static let refused: [(name: String, code: String, answer: JSONValue)] = [
        ("no status", "answer.malformed", answer { $0["status"] = nil }),
        ("a status in words", "answer.status", answer { $0["status"] = "valid" }),
        (
            "a receipt that could not be authenticated", "answer.status",
            answer { $0["status"] = 21_003 }
        ),
        ("a deleted account", "answer.status", answer { $0["status"] = 21_010 }),
        ("no receipt", "answer.malformed", answer { $0["receipt"] = nil }),
        ("a list for a receipt", "answer.malformed", answer { $0["receipt"] = [] }),
        ("a date that is none", "answer.malformed", inReceipt("request_date_ms", "soon")),
        ("a list", "answer.malformed", [answer()]),
        ("another bundle", "bind.bundle", inReceipt("bundle_id", "com.example.other")),
        ("no bundle", "bind.bundle", inReceipt("bundle_id", nil)),
        ("a bundle that is none", "bind.bundle", inReceipt("bundle_id", "a b")),
        ("another app", "bind.app", inReceipt("adam_id", 5)),
        ("another app in a string", "bind.app", inReceipt("app_item_id", "5")),
        ("no environment", "bind.environment", answer { $0["environment"] = nil }),
        (
            "an environment that is none", "bind.environment",
            answer { $0["environment"] = "Moon" }
        ),
        ("Xcode", "bind.environment", answer { $0["environment"] = "Xcode" }),
        (
            "a sandbox receipt in a production answer", "bind.environment",
            inReceipt("receipt_type", "ProductionSandbox")
        ),
        (
            "from the future", "chain.time",
            inReceipt("request_date_ms", .string("\(TestBench.now.milliseconds + 300_001)"))
        ),
        (
            "the app of another in the form of iOS 6", "bind.bundle",
            {
                var answer = ofIOS6(0, "latest_receipt_info")
                answer["receipt"]?["bid"] = "com.example.other"
                return answer
            }()
        ),
    ]

    private static func inReceipt(_ name: String, _ value: JSONValue?) -> JSONValue {
        answer { answer in
            var receipt = receipt
            receipt[name] = value
            answer["receipt"] = receipt
        }
    }

    @Test("what is not about this app, or says nothing, is refused", arguments: refused.indices)
    func refuses(_ index: Int) {
        let (name, code, answer) = Self.refused[index]
        #expect(verdict(answer).summary == code, "\(name)")
        #expect(verdict(answer, .imported).summary == code, "\(name)")
    }

    static let keptAside: [(name: String, code: String, field: String?, answer: JSONValue)] = [
        ("no transaction", "payload.missing", "transaction_id", latest("transaction_id", nil)),
        ("no product", "payload.missing", "product_id", latest("product_id", "")),
        (
            "an id with a space", "payload.id", "original_transaction_id",
            latest("original_transaction_id", "1 2")
        ),
        ("a quantity in words", "payload.type", "quantity", latest("quantity", "many")),
        ("a negative quantity", "payload.type", "quantity", latest("quantity", "-1")),
        (
            "too many of them", "implausible.quantity", "quantity",
            latest("quantity", "20000000")
        ),
        (
            "a flag that is none", "payload.type", "is_trial_period",
            latest("is_trial_period", "maybe")
        ),
        (
            "a list for a date", "payload.type", "purchase_date_ms",
            latest("purchase_date_ms", [])
        ),
        (
            "a date of nobody's calendar", "payload.type", "cancellation_date",
            latest("cancellation_date", "2026-13-41 25:61:00 Etc/GMT")
        ),
        (
            "a date elsewhere", "payload.type", "cancellation_date",
            latest("cancellation_date", "2026-05-16 23:40:00 America/Los_Angeles")
        ),
        (
            "before there was a store", "implausible.date", "purchaseDate",
            latest("purchase_date_ms", "1000")
        ),
        (
            "an end before its start", "implausible.expiry", "expiresDate",
            latest("expires_date_ms", "1778999999999")
        ),
        (
            "a purchase that is no object", "payload.missing", "transaction_id",
            answer { $0["latest_receipt_info"] = [purchase, 7] }
        ),
        (
            "a text for the list", "payload.type", "latest_receipt_info",
            answer { $0["latest_receipt_info"] = "none" }
        ),
        (
            "a renewal of nothing", "payload.missing", "original_transaction_id",
            answer { $0["pending_renewal_info"] = [["product_id": "gold"]] }
        ),
    ]

    @Test(
        "a part that cannot be read or cannot be is kept aside alone",
        arguments: keptAside.indices)
    func keepsAside(_ index: Int) throws {
        let (name, code, field, answer) = Self.keptAside[index]
        let evidence = try #require(verdict(answer).accepted)
        #expect(evidence.implausible.map(\.code.rawValue) == [code], "\(name)")
        #expect(evidence.implausible.first?.field == field, "\(name)")
    }

    @Test("sandbox receipts have no app number")
    func sandbox() throws {
        let answer = Self.answer { answer in
            var receipt = Self.receipt
            receipt["receipt_type"] = "ProductionSandbox"
            receipt["adam_id"] = 0
            receipt["app_item_id"] = 0
            answer["receipt"] = receipt
            answer["environment"] = "Sandbox"
        }
        #expect(try transaction(answer).environment == .sandbox)
    }
}
