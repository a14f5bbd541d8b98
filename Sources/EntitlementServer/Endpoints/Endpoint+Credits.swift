internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// The calls of usher.sock by which services spend credits (spec 1.7).
extension Endpoint {
    private static let ofOne = "/v1/accounts/{account:alice}/credits/{credit:coins}"
    private static let coins: JSONValue = [["credit": "coins", "amount": 5]]

    static let credits = [
        credit(
            "spendCredit", ofOne + "/spend",
            "Spends units of one credit. A repeated call with the same Idempotency-Key is answered "
                + "like the first.", key: .required,
            body: Body(SpendOneBody.self, example: ["amount": 5, "reference": "game 17"]), 409, 422
        ) { (body: SpendOneBody, call, engine) throws(Problem) in
            let credit: CreditName = try call.id(1, "credit")
            let spend = SpendBody(
                credits: [CreditAmount(CreditPart(credit, body.amount))],
                environment: body.environment, reason: body.reason, reference: body.reference)
            let request = try call.spend(spend, field: "amount")
            return try await done(by: engine) { () throws(EngineError) in
                try await engine.spend(request)
            }
        },
        credit(
            "spendCredits", "/v1/accounts/{account:alice}/spend",
            "Spends units of several credits: all of them or none.", key: .required,
            body: Body(
                SpendBody.self,
                example: [
                    "credits": [
                        ["credit": "coins", "amount": 5], ["credit": "gems", "amount": 1],
                    ]
                ]), 409, 422
        ) { (body: SpendBody, call, engine) throws(Problem) in
            let request = try call.spend(body)
            return try await done(by: engine, body.credits) { () throws(EngineError) in
                try await engine.spend(request)
            }
        },
        credit(
            "holdCredits", "/v1/accounts/{account:alice}/holds",
            "Holds units for a spend to come, for at most 30 days. A hold ends by itself at "
                + "'until'.", key: .required,
            body: Body(
                HoldBody.self, example: ["credits": coins], ahead: "until"),
            409, 422
        ) { (body: HoldBody, call, engine) throws(Problem) in
            let request = try call.spend(body.spend, until: body.until)
            return try await done(by: engine, body.spend.credits) { () throws(EngineError) in
                try await engine.spend(request)
            }
        },
        standing(
            "hold", "/v1/holds/{hold:7}",
            "A hold: what it holds, until when, and what became of it.",
            .unknownHold
        ) { place, questions, now throws(EngineError) in try questions.hold(place, at: now) },
        standing(
            "spend", "/v1/spends/{spend:7}",
            "A spend, or what a capture has spent, and what of it could still be given back.",
            .unknownSpend
        ) { place, questions, _ throws(EngineError) in try questions.spend(place) },
        credit(
            "captureHold", "/v1/holds/{hold:7}/capture",
            "Spends what is held, or a part of it; the rest is free again.",
            body: Body(CreditPartBody.self, example: ["credits": coins]), 404, 409, 422
        ) { (body: CreditPartBody, call, engine) throws(Problem) in
            let request = HoldEndRequest(
                hold: try call.position(0, "hold"), captured: try body.credits?.parts(),
                cause: call.creditCause(body.reason, body.reference))
            return try await done(by: engine, body.credits ?? []) { () throws(EngineError) in
                try await engine.endHold(request)
            }
        },
        credit(
            "releaseHold", "/v1/holds/{hold:7}/release", "Ends a hold; nothing is spent.",
            body: Body(ReasonRequest.self, example: ["reason": "The game was cancelled."]),
            404, 409
        ) { (body: ReasonRequest, call, engine) throws(Problem) in
            let request = HoldEndRequest(
                hold: try call.position(0, "hold"), captured: [],
                cause: call.creditCause(body.reason, nil))
            return try await done(by: engine) { () throws(EngineError) in
                try await engine.endHold(request)
            }
        },
        credit(
            "reverseSpend", "/v1/spends/{spend:7}/reverse",
            "Gives units of a spend back, never more in all than it took.", key: .required,
            body: Body(
                CreditPartBody.self,
                example: ["credits": coins, "reason": "The level did not load."]), 404, 409, 422
        ) { (body: CreditPartBody, call, engine) throws(Problem) in
            if body.reference != nil { throw Problem(.unknownMember, field: "reference") }
            let request = ReversalRequest(
                spend: try call.position(0, "spend"), parts: try body.credits?.parts(),
                key: try call.creditKey(), cause: call.creditCause(body.reason, nil))
            return try await done(by: engine, body.credits ?? []) { () throws(EngineError) in
                try await engine.reverse(request)
            }
        },
        credit(
            "thawCredit", ofOne + "/thaw",
            "Lets an account spend a credit again that a refund has frozen.", role: .admin,
            body: Body(ThawBody.self, example: ["reason": "She explained the refund."]), 409, 422
        ) { (body: ThawBody, call, engine) throws(Problem) in
            let cause = call.cause(body.reason)
            let request = ThawRequest(
                account: try call.id(0, "account"),
                environment: body.environment ?? .production, credit: try call.id(1, "credit"),
                cause: cause)
            return try await done(by: engine) { () throws(EngineError) in
                try await engine.thaw(request)
            }
        },
    ]

    private static func standing(
        _ name: String, _ path: String, _ summary: String, _ unknown: ProblemCode,
        look:
            @escaping @Sendable (LedgerSequence, LedgerQuestions, Instant)
            throws(EngineError) -> SpendStanding?
    ) -> Endpoint {
        Endpoint(
            name, .get, path, summary,
            answers: [
                .json("As of the revision in it.", SpendStanding.self),
                .problem(404, "There is none of this number."),
            ],
            work: .operation { call, service throws(Problem) in
                let place = try call.position(0, name)
                let (questions, now) = (service.engine.questions, service.engine.now())
                return try await service.offLoop { () throws(Problem) in
                    let found: SpendStanding?
                    do throws(EngineError) {
                        found = try look(place, questions, now)
                    } catch {
                        throw Problem(error)
                    }
                    guard let found else { throw Problem(unknown, field: name) }
                    return ResponseDraft(found)
                }
            })
    }

    private static func credit<Sent: WireObject>(
        _ name: String, _ path: String, _ summary: String, role: PeerRole = .ingest,
        key: Endpoint.KeyUse = .none, body: Body, _ rejections: Int...,
        act:
            @escaping @Sendable (Sent, OperationsCall, EntitlementEngine)
            async throws(Problem) -> ResponseDraft
    ) -> Endpoint {
        Endpoint(
            name, .post, path, summary, role: role, key: key, isPreviewable: true, body: body,
            answers: [.json("Durable.", Written<CreditActionAnswer>.self)]
                + ([403] + rejections).map { .problem($0, "Not done.") },
            work: .operation { call, service throws(Problem) in
                let sent = try service.body(Sent.self, of: call)
                return try await act(sent, call, service.engine)
            })
    }

    /// What became of it: the action, or why it was not done.
    ///
    /// - Parameter parts: the credits in the order in which the body lists them.
    private static func done(
        by engine: EntitlementEngine, _ parts: [CreditAmount] = [],
        _ act: () async throws(EngineError) -> CreditReport
    ) async throws(Problem) -> ResponseDraft {
        let report: CreditReport
        do {
            report = try await act()
        } catch {
            throw Problem(error)
        }
        switch report {
        case .done(let answer):
            return ResponseDraft(Written(answer, answer.id ?? engine.revision))
        case .rejected(let rejection):
            var problem = Problem(rejection)
            if problem.code == .unknownCredit,
                let index = parts.firstIndex(where: { $0.credit == problem.credit })
            {
                problem.field = "credits[\(index)].credit"
            }
            throw problem
        }
    }
}

extension OperationsCall {
    fileprivate func spend(
        _ body: SpendBody, until: Instant? = nil, field: String? = nil
    ) throws(Problem) -> SpendRequest {
        SpendRequest(
            account: try id(0, "account"), environment: body.environment ?? .production,
            parts: try body.credits.parts(field), until: until, key: try creditKey(),
            cause: creditCause(body.reason, body.reference))
    }

    fileprivate func creditCause(
        _ reason: Reason?, _ reference: CreditReference?
    ) -> CreditCause {
        CreditCause(
            actor: caller.actor, formerActor: caller.formerActor, reason: reason?.text,
            reference: reference?.text, intent: intent)
    }

    /// Required: without a key a call could not be repeated after a failure without spending twice.
    fileprivate func creditKey() throws(Problem) -> String {
        guard let key = idempotencyKey else {
            throw Problem(.missing, field: "Idempotency-Key")
        }
        guard let id = GrantID(key) else { throw Problem(.id, field: "Idempotency-Key") }
        return id.text
    }
}

extension [CreditAmount] {
    /// By credit, each once, in possible amounts.
    ///
    /// - Parameter field: where the amount was written, if not in a list.
    fileprivate func parts(_ field: String? = nil) throws(Problem) -> [CreditPart] {
        guard count <= [CreditPart].mostParts else {
            throw Problem(tooMany: [CreditPart].mostParts, field: "credits")
        }
        for (index, part) in enumerated() {
            try Problem.require(
                part.amount, in: GrantedGift.possibleUnits,
                field: field ?? "credits[\(index)].amount")
            if self[..<index].contains(where: { $0.credit == part.credit }) {
                throw Problem(.value, field: "credits[\(index)].credit")
            }
        }
        guard let parts = map(\.part).asParts else { throw Problem(.value, field: "credits") }
        return parts
    }
}

extension Problem {
    /// The same rejection as an HTTP problem, with the facts that the caller needs.
    init(_ rejection: CreditRejection) {
        self.init(rejection.code)
        switch rejection {
        case .unknownCredit(let credit, let nearest):
            self.credit = credit
            (field, didYouMean) = ("credit", nearest?.text)
        case .insufficient(let credit, let balance):
            (self.credit, self.balance) = (credit, balance)
        case .frozen(let credit), .blocked(let credit): self.credit = credit
        case .conflict(let digest): (field, first) = ("Idempotency-Key", digest)
        case .unknownSpend: field = "spend"
        case .unknownHold, .holdEnded: field = "hold"
        case .until: field = "until"
        case .tooMuch(let credit, let left): (self.credit, balance) = (credit, Int128(left))
        case .merged(let account): (field, mergedInto) = ("account", account)
        }
    }
}
