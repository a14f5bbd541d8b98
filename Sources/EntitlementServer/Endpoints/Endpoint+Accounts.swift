internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// The calls of usher.sock that read the ledger.
extension Endpoint {
    static let accounts = [
        report(
            "account", "/v1/accounts/{account:alice}",
            "Everything that support needs: rights, units, owners, orders, balances, grants, "
                + "blocks, claims and findings.", AccountReport.self
        ) { asked, questions throws(EngineError) in
            try questions.report(
                on: asked.account, at: asked.instant, in: asked.query.statedEnvironment,
                through: asked.query.appleID)
        },
        report(
            "accountTimeline", "/v1/accounts/{account:alice}/timeline",
            "The account over time: states, owners, rights and orders.", TimelineReport.self
        ) { asked, questions throws(EngineError) in
            try questions.timeline(
                of: asked.account, at: asked.instant, in: asked.query.statedEnvironment,
                through: asked.query.appleID)
        },
        report(
            "accountFindings", "/v1/accounts/{account:alice}/findings",
            "The findings about an account: what a person should look at.", AccountFindings.self
        ) { asked, questions throws(EngineError) in
            try questions.findings(
                of: asked.account, at: asked.instant, in: asked.query.statedEnvironment,
                through: asked.query.appleID)
        },
        report(
            "accountCatalogue", "/v1/accounts/{account:alice}/catalog",
            "What the app sells: what the account owns of it, whether it may buy it, and what "
                + "there is to say before. 'apple_id' is any key of the device's Apple ID, "
                + "'storefront' the ISO 3166-1 alpha-3 code of its storefront.",
            CatalogueReport.self, also: [.storefront]
        ) { asked, questions throws(EngineError) in
            try questions.catalogue(
                for: asked.account, in: asked.query.environment, on: asked.query.appleID,
                storefront: asked.query.storefront, at: asked.instant)
        },
        report(
            "explain", "/v1/accounts/{account:alice}/explain/{entitlement:premium}",
            "Why the answer is what it is, and the smallest change that would reverse it.",
            Explanation.self
        ) { asked, questions throws(EngineError) in
            try questions.explain(
                RightKey(asked.query.environment, asked.entitlement), of: asked.account,
                at: asked.instant, through: asked.query.appleID)
        },
    ]

    static let history = Endpoint(
        "answerHistory", .get, "/v1/accounts/{account:alice}/history/{entitlement:premium}",
        "How the answer to one question, about one instant, has changed with what was learned: "
            + "each entry and policy that changed it, the newest first. With 'expected' (yes, no, "
            + "until=DATE) the one since which the answer is not that.",
        query: QueryParameter.readingOfHistory,
        answers: [.json("A page; 'after' is 'next' of the page before.", AnswerHistory.self)],
        work: .operation { call, service throws(Problem) in
            let parameters = QueryParameter.readingOfHistory
            let query = try QuestionParameters(
                call.head.query, in: call.bytes.span, taking: parameters)
            let values = try QueryValues(call.head.query, in: call.bytes.span, taking: parameters)
            let (after, limit) = (try values.entry(), try values.limit())
            let expected: ExpectedAnswer? = try values.value(.expected)
            try await service.revisionTimeout.waited(for: query)
            let account: AccountID = try call.id(0, "account")
            let key = RightKey(query.environment, try call.id(1, "entitlement"))
            return try await service.reading(asKnown: query.known) {
                questions, now throws(EngineError) in
                let instant = query.instant ?? now
                if let expected {
                    return try questions.firstWrong(
                        expected, key, of: account, at: instant, through: query.appleID)
                }
                return try questions.history(
                    of: key, of: account, at: instant, through: query.appleID,
                    before: after == .zero ? nil : after, limit: limit)
            } check: { answer throws(Problem) in
                try query.require(answer.frame.revision)
            }
        })

    /// The calls about a purchase before it is made.
    static let purchases = [
        Endpoint(
            "preflight", .post, "/v1/preflight",
            "Checks a purchase before the payment sheet is shown.",
            query: [.at, .assume] + QueryParameter.past, isLocal: true,
            body: Body(PreflightRequest.self, example: ["account": "alice", "product": "gold"]),
            answers: [.json("Proceed, warn or block, with reasons.", PreflightAnswer.self)],
            work: .operation { call, service throws(Problem) in
                let request = try service.body(PreflightRequest.self, of: call)
                let query = try QuestionParameters(
                    call.head.query, in: call.bytes.span,
                    taking: [.at, .assume] + QueryParameter.past)
                return try await service.reading(asKnown: query.known) {
                    questions, now throws(EngineError) in
                    let instant = query.instant ?? now
                    return try questions.assuming(
                        query.assumptions, at: instant, in: request.environment
                    ).preflight(request, at: instant)
                }
            }),
        Endpoint(
            "reportStore", .post, "/v1/accounts/{account:alice}/catalog/reports",
            "Records the product ids that the store called invalid, which the catalogue leaves "
                + "out until a report no longer lists them, and payments that failed or were "
                + "cancelled.",
            role: .ingest,
            body: Body(
                StoreReportBody.self,
                example: [
                    "invalid_products": ["gold"],
                    "payments": [["product": "coins", "outcome": "failed", "store_code": "2"]],
                ]),
            answers: [
                .json("Durable, or known before.", StoreReportAnswer.self),
                .problem(403, "Not done."), .problem(422, "Too many reports of the account."),
            ],
            work: .operation { call, service throws(Problem) in
                let body = try service.body(StoreReportBody.self, of: call)
                return try await record(
                    try StoreReport(body, of: try call.id(0, "account"), by: call), service)
            }),
    ]

    private static func record(
        _ report: StoreReport, _ service: OperationsResponder
    ) async throws(Problem) -> ResponseDraft {
        let outcome: StoreReportOutcome
        do throws(EngineError) {
            outcome = try await service.engine.record(report)
        } catch {
            throw Problem(error)
        }
        switch outcome {
        case .tooMany: throw Problem(.tooManyReports, field: "account")
        case .done(let standing):
            service.status.count(standing.newPayments)
            return ResponseDraft(
                StoreReportAnswer(
                    account: standing.account, environment: standing.environment,
                    invalidProducts: standing.invalidProducts,
                    newPayments: Int64(standing.newPayments.count), entry: standing.entry,
                    revision: standing.revision))
        }
    }

    static let ledger = [
        Endpoint(
            "findings", .get, "/v1/findings",
            "The open findings of the whole ledger, by kind, oldest first. 'after' is 'next' "
                + "of the previous page.",
            query: [.kind, .after, .limit],
            answers: [.json("As of the revision in it.", FindingPage.self)],
            work: .operation { call, service throws(Problem) in
                let kind: Finding.Kind? = try call.query.value(.kind)
                let place: FindingPosition? = try call.query.value(.after)
                let limit = try call.query.limit()
                return try await service.reading { _ throws(EngineError) in
                    try service.engine.findings(
                        of: kind, after: place, at: service.engine.now(), limit: limit)
                }
            }),
        Endpoint(
            "waitingClaims", .get, "/v1/claims",
            "The claims that wait for a decision by hand. 'after' is 'next' of the page before.",
            query: [.state, .afterEntry, .limit] + QueryParameter.past,
            answers: [.json("In the ledger's order.", ClaimList.self)],
            work: .operation { call, service throws(Problem) in
                // No other list of claims is kept.
                guard try call.query.text(.state) ?? "waiting" == "waiting" else {
                    throw Problem(.value, field: "state")
                }
                let (after, limit) = (try call.query.entry(), try call.query.limit())
                return try await service.reading(asKnown: try call.query.known()) {
                    questions, _ throws(EngineError) in
                    try questions.waitingClaims(after: after, limit: limit)
                }
            }),
        Endpoint(
            "reviewClaims", .get, "/v1/claims/review",
            "The claims that the policy in force would decide otherwise today, and the ruling that "
                + "applies it. 'after' is 'next' of the page before.",
            query: [.afterEntry, .limit],
            answers: [.json("As of the revision in it.", ClaimReviewPage.self)],
            work: .operation { call, service throws(Problem) in
                let (after, limit) = (try call.query.entry(), try call.query.limit())
                return try await service.reading { questions throws(EngineError) in
                    try questions.reviewedClaims(
                        after: after, at: service.engine.now(), limit: limit)
                }
            }),
        Endpoint(
            "find", .get, "/v1/find/{id:400000000001001}",
            "What an id is and where it leads: one meaning for each kind and environment. Where "
                + "nothing has it, Apple is asked whether it is an order number of its e-mails, as "
                + "far as a client is configured.",
            answers: [
                .json("As of the revision in it.", FoundID.self),
                .problem(404, "Nothing has this id."),
            ],
            work: .operation { call, service throws(Problem) in
                let id: SoughtID = try call.id(0, "id")
                let questions = service.engine.questions
                var found = try await service.offLoop { () throws(Problem) in
                    do throws(EngineError) {
                        return try questions.find(id)
                    } catch {
                        throw Problem(error)
                    }
                }
                if found.meanings.isEmpty {
                    do throws(EngineError) {
                        found = try await service.engine.find(appleOrder: id)
                    } catch {
                        throw Problem(error)
                    }
                }
                if found.meanings.isEmpty { throw Problem(.nothingFound, field: "id") }
                return ResponseDraft(found)
            }),
    ]

    /// What a report is asked about.
    struct ReportQuery: Sendable {
        var account: AccountID
        /// Of an explanation.
        var entitlement: EntitlementName
        var query: QuestionParameters
        var instant: Instant
    }

    private static func report<Shape: RevisedAnswer>(
        _ name: String, _ path: String, _ summary: String, _ shape: Shape.Type,
        also more: [QueryParameter] = [],
        make: @escaping @Sendable (ReportQuery, LedgerQuestions) throws(EngineError) -> Shape
    ) -> Endpoint {
        let isExplanation = path.contains("{entitlement:")
        return Endpoint(
            name, .get, path, summary, query: QueryParameter.reading + more,
            answers: [.json("As of the revision in it.", shape)],
            work: .operation { call, service throws(Problem) in
                let query = try QuestionParameters(
                    call.head.query, in: call.bytes.span, taking: QueryParameter.reading + more)
                try await service.revisionTimeout.waited(for: query)
                let (account, entitlement): (AccountID, EntitlementName) = (
                    try call.id(0, "account"),
                    isExplanation ? try call.id(1, "entitlement") : .sample
                )
                return try await service.reading(asKnown: query.known) {
                    questions, now throws(EngineError) in
                    let asked = ReportQuery(
                        account: account, entitlement: entitlement, query: query,
                        instant: query.instant ?? now)
                    return try make(
                        asked,
                        questions.assuming(
                            query.assumptions, at: asked.instant, in: query.environment))
                } check: { answer throws(Problem) in
                    try query.require(answer.revision)
                }
            })
    }
}

extension StoreReport {
    /// The request of a body, checked for its bounds.
    fileprivate init(
        _ body: StoreReportBody, of account: AccountID, by call: OperationsCall
    ) throws(Problem) {
        guard body.invalidProducts != nil || body.payments != nil else {
            throw Problem(.missing, field: "invalid_products")
        }
        let lists = [
            ("invalid_products", body.invalidProducts?.count, Self.mostProducts),
            ("payments", body.payments?.count, Self.mostPayments),
        ]
        for (field, count, most) in lists where count ?? 0 > most {
            throw Problem(tooMany: most, field: field)
        }
        self.init(
            account: account, environment: body.environment ?? .production,
            invalidProducts: body.invalidProducts, payments: body.payments ?? [],
            actor: call.caller.actor)
    }
}

/// An answer that says as of which revision it is.
protocol RevisedAnswer: WireObject {
    var revision: LedgerSequence { get }
}

extension AccountReport: RevisedAnswer {
    var revision: LedgerSequence { frame.revision }
}

extension TimelineReport: RevisedAnswer {
    var revision: LedgerSequence { frame.revision }
}

extension AccountFindings: RevisedAnswer {
    var revision: LedgerSequence { frame.revision }
}

extension CatalogueReport: RevisedAnswer {}

extension Explanation: RevisedAnswer {
    var revision: LedgerSequence { answer.revision }
}
