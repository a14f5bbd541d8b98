internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// The calls of usher.sock by which a person changes something (spec 3.1). Each needs a reason, the
/// actor is the peer, and an answer means that the change is durable.
extension Endpoint {
    static let actions = [
        action(
            "rule", .post, "/v1/claims/{claim:42}/ruling",
            "Rules on a claim: approve, refuse, transfer, release or undo.", RulingAnswer.self,
            404, 409,
            body: Body(
                RulingBody.self,
                example: ["verb": "approve", "reason": "The person showed the receipt."])
        ) { (body: RulingBody, call, engine) throws(Problem) in
            let request = RulingRequest(
                verb: body.verb, claim: try call.position(0, "claim"), account: body.account,
                decision: body.decision, cause: call.cause(body.reason))
            return try await done { () throws(EngineError) in
                try await engine.rule(request)
            } write: {
                Written(
                    RulingAnswer($0.ruling, decisions: $0.decisions), $0.ruling.sequence)
            }
        },
        action(
            "giveUnclaimed", .post, "/v1/transactions/{transaction:400000000001001}/give",
            "Gives a payment that nobody owns to an account.", RulingAnswer.self, 409,
            body: Body(
                GiveBody.self,
                example: ["account": "alice", "reason": "The person showed the receipt."])
        ) { (body: GiveBody, call, engine) throws(Problem) in
            let key = TransactionKey(
                body.environment ?? .production, try call.id(0, "transaction"))
            let cause = call.cause(body.reason)
            return try await done { () throws(EngineError) in
                try await engine.give(key, to: body.account, cause)
            } write: {
                Written(
                    RulingAnswer($0.ruling, decisions: $0.decisions), $0.ruling.sequence)
            }
        },
        action(
            "grant", .post, "/v1/grants",
            "Grants an entitlement or credits. The caller's Idempotency-Key is the grant's id.",
            GrantAnswer.self, 409, 422, key: .optional,
            body: Body(
                GrantBody.self,
                example: [
                    "account": "alice", "entitlement": "premium",
                    "reason": "An apology for the outage.",
                ], ahead: "until")
        ) { (body: GrantBody, call, engine) throws(Problem) in
            let request = GrantRequest(
                id: try call.newID(), account: body.account,
                environment: body.environment ?? .production, gift: body.gift, from: body.from,
                until: body.until, cause: call.cause(body.reason))
            return try await done { () throws(EngineError) in
                try await engine.grant(request)
            } write: {
                Written($0.answer, $0.grant.sequence)
            } place: { _ in
                body.gift.entitlement == nil ? "credit" : "entitlement"
            }
        },
        action(
            "revokeGrant", .delete, "/v1/grants/{grant:gift-2026-06}",
            "Ends a grant early.",
            GrantAnswer.self, 404, body: reason("Given to the wrong account.")
        ) { (body: ReasonRequest, call, engine) throws(Problem) in
            let (id, cause): (GrantID, AdminActionCause) = (
                try call.id(0, "grant"), call.cause(body.reason)
            )
            return try await done { () throws(EngineError) in
                try await engine.revokeGrant(id, cause)
            } write: {
                Written($0.answer, $0.revocation?.sequence ?? $0.grant.sequence)
            }
        },
        action(
            "block", .post, "/v1/blocks",
            "Blocks an account, or the entitlements and credits that are named. The caller's "
                + "Idempotency-Key is the block's id.",
            BlockAnswer.self, 409, 422, key: .optional,
            body: Body(
                BlockBody.self,
                example: [
                    "account": "alice", "entitlements": ["premium"], "reason": "Chargebacks.",
                ])
        ) { (body: BlockBody, call, engine) throws(Problem) in
            let (id, cause): (BlockID, AdminActionCause) = (
                try call.newID(), call.cause(body.reason)
            )
            return try await done { () throws(EngineError) in
                try await engine.block(body.account, scope: body.scope, id: id, cause)
            } write: {
                Written($0.answer, $0.block.sequence)
            } place: { name in
                body.entitlements?.firstIndex { $0.text == name }.map { "entitlements[\($0)]" }
                    ?? body.credits?.firstIndex { $0.text == name }.map { "credits[\($0)]" }
            }
        },
        action(
            "liftBlock", .delete, "/v1/blocks/{block:7}", "Lifts one block.", BlockAnswer.self,
            404, body: reason("The chargebacks were a mistake.")
        ) { (body: ReasonRequest, call, engine) throws(Problem) in
            let (id, cause): (BlockID, AdminActionCause) = (
                try call.id(0, "block"), call.cause(body.reason)
            )
            return try await done { () throws(EngineError) in
                try await engine.liftBlock(id, cause)
            } write: {
                Written($0.answer, $0.removal?.sequence ?? $0.block.sequence)
            }
        },
        action(
            "closeAccount", .post, "/v1/accounts/{account:alice}/close",
            "Closes an account until it is reopened: it claims, spends and orders nothing. What "
                + "becomes of its rights is the policy's 'closed_accounts'.",
            BlockAnswer.self, 409, body: reason("Asked to be closed by letter.")
        ) { (body: ReasonRequest, call, engine) throws(Problem) in
            let (account, id): (AccountID, BlockID) = (
                try call.id(0, "account"), try call.newID()
            )
            return try await done { () throws(EngineError) in
                try await engine.close(account, id: id, call.cause(body.reason))
            } write: {
                Written($0.answer, $0.block.sequence)
            }
        },
        action(
            "reopenAccount", .post, "/v1/accounts/{account:alice}/reopen",
            "Reopens a closed account.", BlockAnswer.self, 409,
            body: reason("The customer came back.")
        ) { (body: ReasonRequest, call, engine) throws(Problem) in
            let account: AccountID = try call.id(0, "account")
            return try await done { () throws(EngineError) in
                try await engine.reopen(account, call.cause(body.reason))
            } write: {
                Written($0.answer, $0.removal?.sequence ?? $0.block.sequence)
            }
        },
        action(
            "registerToken", .post, "/v1/account-tokens",
            "Registers the account that an appAccountToken stands for.", TokenAnswer.self, 409,
            body: Body(
                TokenBody.self,
                example: [
                    "token": "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "account": "alice",
                    "reason": "Registered before the app did it.",
                ])
        ) { (body: TokenBody, call, engine) throws(Problem) in
            let cause = call.cause(body.reason)
            return try await done { () throws(EngineError) in
                try await engine.register(body.token, for: body.account, cause)
            } write: {
                Written(TokenAnswer($0), $0.sequence)
            }
        },
        action(
            "merge", .post, "/v1/merges",
            "Merges one account into another.",
            MergeAnswer.self, 409,
            body: Body(
                MergeBody.self,
                example: [
                    "from": "alice-old", "into": "alice", "reason": "One person, two sign-ins.",
                ])
        ) { (body: MergeBody, call, engine) throws(Problem) in
            let merge = AccountMerge(
                from: body.from, into: body.into, isUpToNow: body.isUpToNow ?? false,
                actor: call.caller.actor, reason: body.reason.text)
            return try await done { () throws(EngineError) in
                try await engine.merge(merge, meant: call.intent)
            } write: {
                Written(MergeAnswer($0), $0.sequence)
            }
        },
        action(
            "undoMerge", .delete, "/v1/merges/{merge:43}",
            "Undoes a merge, except for what has moved since.", MergeAnswer.self, 404, 409,
            body: reason("They are two people.")
        ) { (body: ReasonRequest, call, engine) throws(Problem) in
            let (place, cause) = (try call.position(0, "merge"), call.cause(body.reason))
            return try await done { () throws(EngineError) in
                try await engine.undoMerge(place, cause)
            } write: {
                Written(MergeAnswer($0), $0.sequence)
            }
        },
        action(
            "erase", .post, "/v1/accounts/{account:alice}/erase",
            "Closes an account until the hold is over, and erases then what concerns it alone, for "
                + "good. 'reopen' ends the hold. The reason is not kept.",
            ErasureAnswer.self, 404, 409, 501,
            body: Body(
                ErasureBody.self,
                example: ["reference": "request-118", "reason": "The customer asked for it."])
        ) { (body: ErasureBody, call, engine) throws(Problem) in
            let id: BlockID = try call.newID()
            var request = ErasureRequest(try call.id(0, "account"), for: body.reference)
            (request.holdDays, request.isNew) = (body.holdDays, body.isNew ?? false)
            return try await done { [request] () throws(EngineError) in
                try await engine.erase(request, id: id, call.cause(body.reason))
            } write: {
                Written($0, $0.erasure)
            }
        },
        upkeep(
            "reloadPolicy", "/v1/policy/reload",
            "Reloads the policy folder. Rejected if it has errors, or if more accounts lose "
                + "something, now or later, than its accept.yaml or 'accept_loss' "
                + "accepts. Answers when they are counted.", Written<ReloadAnswer>.self, 422, 501,
            isPreviewable: true,
            body: Body(ReloadBody.self, example: ["reason": "The new price list."])
        ) { (body: ReloadBody, upkeep, service) throws(Problem) in
            Written(try await upkeep.reload(body), service.engine.revision)
        },
        upkeep(
            "rollbackPolicy", "/v1/policy/rollback",
            "Puts the policy that was in force before this one into force again. The folder "
                + "waits until it changes or is accepted.", Written<RollbackAnswer>.self, 409,
            isPreviewable: true, body: reason("Subscribers lost premium.")
        ) { (body: ReasonRequest, upkeep, service) throws(Problem) in
            Written(try await upkeep.rollBack(body), service.engine.revision)
        },
        upkeep(
            "backup", "/v1/backup", "Writes a complete, verified copy of the ledger.",
            BackupAnswer.self, 501, isLocal: true, body: reason("Before the upgrade.")
        ) { (body: ReasonRequest, upkeep, service) throws(Problem) in
            try await service.offLoop { () throws(Problem) in try upkeep.backUp(body.reason) }
        },
    ]

    private static func reason(_ example: String) -> Body {
        Body(ReasonRequest.self, example: ["reason": .string(example)])
    }

    static func action<Sent: WireObject, Shape: WireObject>(
        _ name: String, _ method: RequestHead.Method, _ path: String, _ summary: String,
        _ shape: Shape.Type, _ rejections: Int..., key: KeyUse = .none, body: Body,
        act:
            @escaping @Sendable (Sent, OperationsCall, EntitlementEngine)
            async throws(Problem) -> Written<Shape>
    ) -> Endpoint {
        Endpoint(
            name, method, path, summary, role: .admin,
            query: method == .delete ? [.reason] : [], key: key, isPreviewable: true, body: body,
            answers: answers(Written<Shape>.self, rejections),
            work: .operation { call, service throws(Problem) in
                let sent = try service.body(Sent.self, of: call)
                return ResponseDraft(try await act(sent, call, service.engine))
            })
    }

    private static func upkeep<Sent: WireObject, Shape: WireObject>(
        _ name: String, _ path: String, _ summary: String, _ shape: Shape.Type,
        _ rejections: Int..., isLocal: Bool = false, isPreviewable: Bool = false, body: Body,
        act:
            @escaping @Sendable (Sent, UpkeepCall, OperationsResponder)
            async throws(Problem) -> Shape
    ) -> Endpoint {
        Endpoint(
            name, .post, path, summary, role: .admin, isLocal: isLocal,
            isPreviewable: isPreviewable, body: body,
            answers: answers(shape, rejections),
            work: .operation { call, service throws(Problem) in
                let sent = try service.body(Sent.self, of: call)
                let upkeep = UpkeepCall(
                    engine: service.engine, configuration: service.configuration,
                    caller: call.caller, intent: call.intent, journal: service.journal)
                return ResponseDraft(try await act(sent, upkeep, service))
            })
    }

    private static func answers(_ shape: (some WireObject).Type, _ rejections: [Int]) -> [Answer] {
        [.json("Done and durable.", shape)] + ([403] + rejections).map { .problem($0, "Not done.") }
    }

    /// What became of it: an answer, or why it was not done.
    ///
    /// - Parameter place: where a name was written that no policy has.
    static func done<Done: Sendable, Shape: WireObject>(
        _ action: () async throws(EngineError) -> AdminActionReport<Done>,
        write: (Done) -> Shape, place: (String) -> String? = { _ in nil }
    ) async throws(Problem) -> Shape {
        let report: AdminActionReport<Done>
        do {
            report = try await action()
        } catch {
            throw Problem(error)
        }
        switch report {
        case .rejected(let rejection):
            var problem = Problem(rejection)
            if let name = problem.unknownName { problem.field = place(name) }
            throw problem
        case .done(let done): return write(done)
        }
    }
}

extension OperationsCall {
    func cause(_ reason: Reason) -> AdminActionCause {
        AdminActionCause(
            actor: caller.actor, formerActor: caller.formerActor, reason: reason.text,
            intent: intent)
    }

    /// The ID of what is created, derived from the user and the idempotency key: the same key from
    /// another user gives another ID, and a repeated call the same one.
    fileprivate func newID<ID: Identifier>() throws(Problem) -> ID {
        guard let key = idempotencyKey else { return ID(unchecked: Self.newName()) }
        guard let id = ID(key) else { throw Problem(.id, field: "Idempotency-Key") }
        return id
    }

    /// 128 unpredictable bits.
    private static func newName() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }.hexadecimal
    }
}

extension Problem {
    /// The same rejection, as a socket says it.
    fileprivate init(_ rejection: AdminActionRejection) {
        self.init(rejection.code)
        switch rejection {
        case .merged(let account): mergedInto = account
        case .newerDecision(let newest): decision = newest
        case .unknownGift(let name, let nearest): (unknownName, didYouMean) = (name, nearest)
        case .tooManyUnits: field = "units"
        case .conflict: field = "Idempotency-Key"
        case .tokenTaken: field = "token"
        case .unknownClaim: field = "claim"
        case .unknownGrant: field = "grant"
        case .unknownBlock: field = "block"
        case .unknownRefund: field = "request"
        case .unknownAccount: field = "account"
        case .referenceNamesAccount: field = "reference"
        case .erasedBefore(let entry, let reference), .waitsForErasure(let entry, let reference):
            (erasure, self.reference) = (entry, reference)
        case .merge(.unknownMerge): field = "merge"
        case .ownedByOther, .notClosed, .emptyGift, .refundAnswered, .ruling, .merge,
            .erasureWithoutKey:
            break
        }
    }
}
