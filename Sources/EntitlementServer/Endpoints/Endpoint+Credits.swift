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
                + "like the first.", takesKey: true,
            body: Body(SpendOneBody.self, example: ["amount": 5, "reference": "game 17"]), 409, 422
        ) { (body: SpendOneBody, call, engine) throws(Problem) in
            let credit: CreditName = try call.id(1, "credit")
            let spend = SpendBody(
                credits: [CreditAmount(CreditPart(credit, body.amount))],
                environment: body.environment, reason: body.reason, reference: body.reference)
            let request = try call.spend(spend, field: "amount")
            return try await done { () throws(EngineError) in try await engine.spend(request) }
        },
        credit(
            "spendCredits", "/v1/accounts/{account:alice}/spend",
            "Spends units of several credits: all of them or none.", takesKey: true,
            body: Body(
                SpendBody.self,
                example: [
                    "credits": [
                        ["credit": "coins", "amount": 5], ["credit": "gems", "amount": 1],
                    ]
                ]), 409, 422
        ) { (body: SpendBody, call, engine) throws(Problem) in
            let request = try call.spend(body)
            return try await done { () throws(EngineError) in try await engine.spend(request) }
        },
        credit(
            "holdCredits", "/v1/accounts/{account:alice}/holds",
            "Holds units for a spend to come, for at most 30 days. A hold ends by itself at "
                + "'until'.", takesKey: true,
            body: Body(
                HoldBody.self, example: ["credits": coins, "until": "2026-07-01T00:00:00.000Z"]),
            409, 422
        ) { (body: HoldBody, call, engine) throws(Problem) in
            let request = try call.spend(body.spend, until: body.until)
            return try await done { () throws(EngineError) in try await engine.spend(request) }
        },
        credit(
            "captureHold", "/v1/holds/{hold:7}/capture",
            "Spends what is held, or a part of it; the rest is free again.",
            body: Body(CreditPartBody.self, example: ["credits": coins]), 404, 409, 422
        ) { (body: CreditPartBody, call, engine) throws(Problem) in
            let request = HoldEndRequest(
                hold: try call.position(0, "hold"), captured: try body.credits?.parts("credits"),
                cause: call.creditCause(body.reason, body.reference))
            return try await done { () throws(EngineError) in try await engine.endHold(request) }
        },
        credit(
            "releaseHold", "/v1/holds/{hold:7}/release", "Ends a hold; nothing is spent.",
            body: Body(ReasonRequest.self, example: ["reason": "The game was cancelled."]),
            404, 409
        ) { (body: ReasonRequest, call, engine) throws(Problem) in
            let request = HoldEndRequest(
                hold: try call.position(0, "hold"), captured: [],
                cause: call.creditCause(body.reason, nil))
            return try await done { () throws(EngineError) in try await engine.endHold(request) }
        },
        credit(
            "reverseSpend", "/v1/spends/{spend:7}/reverse",
            "Gives units of a spend back, never more in all than it took.", takesKey: true,
            body: Body(
                CreditPartBody.self,
                example: ["credits": coins, "reason": "The level did not load."]), 404, 409, 422
        ) { (body: CreditPartBody, call, engine) throws(Problem) in
            if body.reference != nil { throw Problem(.unknownMember, field: "reference") }
            let request = ReversalRequest(
                spend: try call.position(0, "spend"), parts: try body.credits?.parts("credits"),
                key: try call.creditKey(), cause: call.creditCause(body.reason, nil))
            return try await done { () throws(EngineError) in try await engine.reverse(request) }
        },
        credit(
            "thawCredit", ofOne + "/thaw",
            "Lets an account spend a credit again that a refund has frozen.", role: .admin,
            body: Body(ThawBody.self, example: ["reason": "She explained the refund."]), 409, 422
        ) { (body: ThawBody, call, engine) throws(Problem) in
            let cause = AdminActionCause(actor: call.caller.actor, reason: body.reason.text)
            let request = ThawRequest(
                account: try call.id(0, "account"),
                environment: body.environment ?? .production, credit: try call.id(1, "credit"),
                cause: cause)
            return try await done { () throws(EngineError) in try await engine.thaw(request) }
        },
    ]

    private static func credit<Sent: WireObject>(
        _ name: String, _ path: String, _ summary: String, role: PeerRole = .ingest,
        takesKey: Bool = false, body: Body, _ rejections: Int...,
        act:
            @escaping @Sendable (Sent, OperationsCall, EntitlementEngine)
            async throws(Problem) -> ResponseDraft
    ) -> Endpoint {
        Endpoint(
            name, .post, path, summary, role: role, takesKey: takesKey, body: body,
            answers: [.json("Durable.", CreditActionAnswer.self)]
                + ([403] + rejections).map { .problem($0, "Not done.") },
            work: .operation { call, service throws(Problem) in
                let sent = try service.body(Sent.self, of: call)
                return try await act(sent, call, service.engine)
            })
    }

    /// What became of it: the action, or why it was not done.
    private static func done(
        _ act: () async throws(EngineError) -> CreditReport
    ) async throws(Problem) -> ResponseDraft {
        let report: CreditReport
        do {
            report = try await act()
        } catch {
            throw Problem(error)
        }
        switch report {
        case .done(let answer): return ResponseDraft(answer)
        case .rejected(let rejection): throw Problem(rejection)
        }
    }
}

extension OperationsCall {
    fileprivate func spend(
        _ body: SpendBody, until: Instant? = nil, field: String = "credits"
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
            actor: caller.actor, reason: reason?.text, reference: reference?.text)
    }

    /// Without a key nobody could repeat the call after a failure without spending twice.
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
    fileprivate func parts(_ field: String) throws(Problem) -> [CreditPart] {
        guard let parts = map(\.part).asParts,
            parts.allSatisfy({ GrantedGift.possibleUnits.contains($0.units) })
        else { throw Problem(.value, field: field) }
        return parts
    }
}

extension Problem {
    /// The same rejection, as a socket says it, with what the caller has to know.
    init(_ rejection: CreditRejection) {
        guard let code = ProblemCode(rawValue: rejection.code) else {
            preconditionFailure("every rejection about credits has its code on the sockets")
        }
        self.init(code)
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
