internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// The calls of usher.sock about orders (spec 1.8).
extension Endpoint {
    private static let one = "/v1/orders/{order:6f9619ff-8b86-4011-b42d-00cf4fc964ff}"

    static let orders = [
        Endpoint(
            "makeOrder", .post, "/v1/orders",
            "Makes an order before the payment sheet is shown. Its id is the purchase's "
                + "appAccountToken. An open order for the same account and product is returned "
                + "instead of a second one, but not for consumables.",
            role: .ingest, key: .optional,
            body: Body(OrderBody.self, example: ["account": "alice", "product": "gold"]),
            answers: [
                .json("Durable; 'in_flight' where there was one already.", OrderAnswer.self),
                .problem(403, "Not done."), .problem(409, "Not done."),
                .problem(422, "It must not be bought."),
            ],
            work: .operation { call, service throws(Problem) in
                let body = try service.body(OrderBody.self, of: call)
                let price = body.price?.price
                try price?.requirePossible()
                let request = OrderRequest(
                    account: body.account, environment: body.environment ?? .production,
                    product: body.product, quantity: body.quantity ?? 1,
                    appleID: body.appleID, price: price,
                    key: try call.orderKey(), actor: call.caller.actor,
                    formerActor: call.caller.formerActor)
                let made: MadeOrder
                do throws(EngineError) {
                    made = try await service.engine.makeOrder(request)
                } catch {
                    throw Problem(error)
                }
                return try answer(made.report, made.preflight, service.engine)
            }),
        Endpoint(
            "lostOrders", .get, "/v1/orders/lost",
            "Orders, and payments without one, that need attention, oldest first, with age, "
                + "reason and next step. 'after' is 'next' of the page before.",
            query: [.afterEntry, .limit],
            answers: [.json("As of the revision in it.", LostOrderPage.self)],
            work: .operation { call, service throws(Problem) in
                let (after, limit) = (try call.query.entry(), try call.query.limit())
                return try await service.reading { questions throws(EngineError) in
                    try questions.lostOrders(
                        after: after, at: service.engine.now(), limit: limit)
                }
            }),
        Endpoint(
            "order", .get, one, "An order, its state and its history.",
            answers: [
                .json("As of the revision in it.", OrderAnswer.self),
                .problem(404, "No order has this id."),
            ],
            work: .operation { call, service throws(Problem) in
                let id = try call.order()
                return try await service.offLoop { () throws(Problem) in
                    let found: OrderAnswer?
                    do throws(EngineError) {
                        found = try service.engine.questions.order(id, at: service.engine.now())
                    } catch {
                        throw Problem(error)
                    }
                    guard let found else { throw Problem(.unknownOrder, field: "order") }
                    return ResponseDraft(found)
                }
            }),
        Endpoint(
            "accountOrders", .get, "/v1/accounts/{account:alice}/orders",
            "The orders of an account. 'after' is 'next' of the page before.",
            query: [.afterEntry, .limit],
            answers: [.json("The newest first.", OrderList.self)],
            work: .operation { call, service throws(Problem) in
                let account: AccountID = try call.id(0, "account")
                let (after, limit) = (try call.query.entry(), try call.query.limit())
                return try await service.reading { questions throws(EngineError) in
                    try questions.orders(
                        of: account, after: after, at: service.engine.now(), limit: limit)
                }
            }),
        Endpoint(
            "reportOrder", .post, one + "/events",
            "Records what the client reports about an order. A repeated report is answered like "
                + "the first.",
            role: .ingest, body: Body(OrderEventBody.self, example: ["event": "paying"]),
            answers: [
                .json("Durable.", OrderAnswer.self), .problem(403, "Not done."),
                .problem(404, "No order has this id."),
                .problem(409, "The state of the order does not allow it."),
            ],
            work: .operation { call, service throws(Problem) in
                let body = try service.body(OrderEventBody.self, of: call)
                let request = OrderEventRequest(
                    order: try call.order(), kind: body.event.kind,
                    transaction: body.transaction, storeCode: body.storeCode?.text,
                    actor: call.caller.actor)
                return try await answer(service) { engine throws(EngineError) in
                    try await engine.report(request)
                }
            }),
        ruling(
            "settleOrder", "settle",
            "Delivers an order: by a payment, or as a gift until it is paid.", SettleBody.self, 422,
            example: ["reason": "Paid, says the bank."]
        ) { body, call throws(Problem) in
            (.settle(body.transaction), body.reason)
        },
        ruling(
            "refuseOrder", "refuse",
            "Closes an order that will not be paid, or takes note of a refund.", ReasonRequest.self,
            example: ["reason": "The person changed her mind."]
        ) { body, call throws(Problem) in
            (.refuse, body.reason)
        },
        ruling(
            "reassignOrder", "reassign", "Gives an order that is not delivered to another account.",
            ReassignBody.self,
            example: ["account": "alice", "reason": "Made while signed in as another."]
        ) { body, call throws(Problem) in
            (.reassign(body.account), body.reason)
        },
        ruling(
            "undoOrder", "undo", "Takes the last ruling back, if nothing happened since.",
            ReasonRequest.self, example: ["reason": "Settled by mistake."]
        ) { body, call throws(Problem) in
            (.undo, body.reason)
        },
    ]

    private static func ruling<Sent: WireObject>(
        _ name: String, _ verb: String, _ summary: String, _ shape: Sent.Type,
        _ refusals: Int..., example: JSONValue,
        read: @escaping @Sendable (Sent, OperationsCall) throws(Problem) -> (OrderRuling, Reason)
    ) -> Endpoint {
        Endpoint(
            name, .post, one + "/" + verb, summary, role: .admin, isPreviewable: true,
            body: Body(shape, example: example),
            answers: [.json("Done and durable.", OrderAnswer.self)]
                + ([403, 404, 409] + refusals).map { .problem($0, "Not done.") },
            work: .operation { call, service throws(Problem) in
                let (ruling, reason) = try read(try service.body(shape, of: call), call)
                let order = try call.order()
                let cause = call.cause(reason)
                return try await answer(service) { engine throws(EngineError) in
                    try await engine.rule(on: order, ruling, cause)
                }
            })
    }

    /// What became of it: the order, or why it was not done.
    private static func answer(
        _ service: OperationsResponder,
        _ act: (EntitlementEngine) async throws(EngineError) -> OrderReport
    ) async throws(Problem) -> ResponseDraft {
        let engine = service.engine
        let report: OrderReport
        do throws(EngineError) {
            report = try await act(engine)
        } catch {
            throw Problem(error)
        }
        return try answer(report, nil, engine)
    }

    private static func answer(
        _ report: OrderReport, _ preflight: PreflightVerdict?, _ engine: EntitlementEngine
    ) throws(Problem) -> ResponseDraft {
        let now = engine.now()
        var answer: OrderAnswer
        switch report {
        case .done(let history): answer = engine.answer(history, at: now)
        case .inFlight(let history): answer = engine.answer(history, at: now, isInFlight: true)
        case .rejected(let rejection): throw Problem(rejection)
        }
        answer.preflight = preflight.map { VerdictAnswer($0) }
        return ResponseDraft(answer)
    }
}

extension OperationsCall {
    /// An order's id is a UUID, in whatever case it is written.
    fileprivate func order() throws(Problem) -> OrderID {
        let id: OrderID = try id(0, "order")
        guard let token = id.token else { throw Problem(.unknownOrder, field: "order") }
        return OrderID(token)
    }

    fileprivate func orderKey() throws(Problem) -> String? {
        guard let key = idempotencyKey else { return nil }
        guard let id = GrantID(key) else { throw Problem(.id, field: "Idempotency-Key") }
        return id.text
    }
}

extension Problem {
    /// The same rejection as an HTTP problem, with the events that are legal instead.
    init(_ rejection: OrderRejection) {
        self.init(rejection.code)
        switch rejection {
        case .state(_, let legal), .delivered(_, let legal): self.legal = legal.map(\.rawValue)
        case .blocked(let code): preflight = code.rawValue
        case .unknown: field = "order"
        case .conflict: field = "Idempotency-Key"
        case .quantity: field = "quantity"
        case .transaction, .hasPayment, .tooManyReported: field = "transaction_id"
        case .nothingToGive: field = "product"
        }
    }
}

extension Price {
    /// Whether an app can show it: no more than a thousand million, in a currency of ISO 4217.
    fileprivate func requirePossible() throws(Problem) {
        try Problem.require(milliunits, in: 0...1_000_000_000_000, field: "price.milliunits")
        guard let currency else { return }
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard currency.utf8.count == 3, currency.utf8.allSatisfy(letters.contains) else {
            throw Problem(.value, field: "price.currency")
        }
    }
}
