internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON

/// The calls of usher.sock by which a person changes something (spec 3.1). Each has a reason,
/// the actor is the peer, and what is answered is durable.
struct AdminActionCall: Sendable {
    let engine: EntitlementEngine
    let path: OperationsPath
    let caller: Caller
    /// The caller's `Idempotency-Key`; a new name where there is none.
    let key: String?
    let body: JSONValue

    func answer() async throws(Problem) -> ResponseDraft {
        switch path.route {
        case .ruling: try await rule()
        case .grants: try await grant()
        case .grant: try await revoke()
        case .blocks: try await block()
        case .block: try await lift()
        case .accountTokens: try await register()
        case .merges: try await merge()
        case .merge: try await undoMerge()
        default: preconditionFailure("only calls that change something come here")
        }
    }

    private func rule() async throws(Problem) -> ResponseDraft {
        let body = try RequestBody(
            self.body, knowing: ["verb", "account", "decision", "reason"])
        guard let verb = Ruling.Verb(rawValue: try body.text("verb")) else {
            throw Problem(.value, field: "verb")
        }
        let request = RulingRequest(
            verb: verb, claim: try path.place(0, "claim"), account: try body.idIfAny("account"),
            decision: try body.integerIfAny("decision").map { LedgerSequence($0) },
            cause: try cause(body))
        return try await draft { engine throws(EngineError) in
            try await engine.rule(request)
        } write: {
            $0.append($1)
        }
    }

    private func grant() async throws(Problem) -> ResponseDraft {
        let body = try RequestBody(
            self.body,
            knowing: [
                "account", "environment", "entitlement", "credit", "units", "from", "until",
                "reason",
            ])
        let request = GrantRequest(
            id: try id(), account: try body.id("account"), environment: try body.environment(),
            gift: try gift(body), from: try body.instantIfAny("from"),
            until: try body.instantIfAny("until"), cause: try cause(body))
        return try await draft { engine throws(EngineError) in
            try await engine.grant(request)
        } write: {
            $0.append($1)
        }
    }

    private func gift(_ body: RequestBody) throws(Problem) -> GrantedGift {
        if let credit: CreditName = try body.idIfAny("credit") {
            guard try body.textIfAny("entitlement") == nil else {
                throw Problem(.value, field: "credit")
            }
            guard let units = try body.integerIfAny("units") else {
                throw Problem(.missing, field: "units")
            }
            return .credit(credit, units: units)
        }
        guard try body.integerIfAny("units") == nil else { throw Problem(.value, field: "units") }
        return .entitlement(try body.id("entitlement"))
    }

    private func revoke() async throws(Problem) -> ResponseDraft {
        let id: GrantID = try path.id(0, "grant")
        let cause = try cause(try RequestBody(body, knowing: ["reason"]))
        return try await draft { engine throws(EngineError) in
            try await engine.revokeGrant(id, cause)
        } write: {
            $0.append($1)
        }
    }

    private func block() async throws(Problem) -> ResponseDraft {
        let body = try RequestBody(self.body, knowing: ["account", "reason"])
        let (id, account): (BlockID, AccountID) = (try id(), try body.id("account"))
        let cause = try cause(body)
        return try await draft { engine throws(EngineError) in
            try await engine.block(account, id: id, cause)
        } write: {
            $0.append($1)
        }
    }

    private func lift() async throws(Problem) -> ResponseDraft {
        let id: BlockID = try path.id(0, "block")
        let cause = try cause(try RequestBody(body, knowing: ["reason"]))
        return try await draft { engine throws(EngineError) in
            try await engine.liftBlock(id, cause)
        } write: {
            $0.append($1)
        }
    }

    private func register() async throws(Problem) -> ResponseDraft {
        let body = try RequestBody(self.body, knowing: ["token", "account", "reason"])
        guard let token = AppAccountToken(try body.text("token")) else {
            throw Problem(.value, field: "token")
        }
        let account: AccountID = try body.id("account")
        let cause = try cause(body)
        return try await draft { engine throws(EngineError) in
            try await engine.register(token, for: account, cause)
        } write: {
            $0.append($1)
        }
    }
}

/// Two accounts that are one person's, by an authorised caller only (spec 1.6).
extension AdminActionCall {
    private func merge() async throws(Problem) -> ResponseDraft {
        let body = try RequestBody(self.body, knowing: ["from", "into", "reason"])
        let merge = AccountMerge(
            from: try body.id("from"), into: try body.id("into"), actor: caller.actor,
            reason: try body.reason())
        return try await draft { engine throws(EngineError) in
            try await engine.merge(merge)
        } write: {
            $0.append($1)
        }
    }

    private func undoMerge() async throws(Problem) -> ResponseDraft {
        let cause = try cause(try RequestBody(body, knowing: ["reason"]))
        let place = try path.place(0, "merge")
        return try await draft { engine throws(EngineError) in
            try await engine.undoMerge(place, cause)
        } write: {
            $0.append($1)
        }
    }
}

/// What all admin actions share.
extension AdminActionCall {
    private func cause(_ body: RequestBody) throws(Problem) -> AdminActionCause {
        AdminActionCause(actor: caller.actor, reason: try body.reason())
    }

    /// The idempotency key names what is made, so that making it again is no other thing. It is
    /// the caller's own: what another user makes with the same key gets another name.
    private func id<ID: Identifier>() throws(Problem) -> ID {
        guard let key else { return ID(unchecked: Self.newName()) }
        guard let id = ID(key) else { throw Problem(.id, field: "Idempotency-Key") }
        return id
    }

    /// 128 unpredictable bits.
    private static func newName() -> String {
        let digits = Array("0123456789abcdef")
        var generator = SystemRandomNumberGenerator()
        return String(
            (0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
    }

    private func draft<Done: Sendable>(
        _ action: (EntitlementEngine) async throws(EngineError) -> AdminActionReport<Done>,
        write: (inout AnswerWriter, Done) -> Void
    ) async throws(Problem) -> ResponseDraft {
        let report: AdminActionReport<Done>
        do {
            report = try await action(engine)
        } catch {
            throw Problem(error)
        }
        switch report {
        case .rejected(let refusal): throw Problem(ProblemCode(refusal))
        case .done(let done):
            var writer = AnswerWriter()
            write(&writer, done)
            return ResponseDraft(writer)
        }
    }
}

extension Problem {
    /// Why the engine could not do what was asked: some failures pass by themselves.
    init(_ error: EngineError) {
        if case .unknownEntitlement(let nearest) = error {
            self.init(.unknownEntitlement, field: "entitlement", didYouMean: nearest?.text)
        } else if case .ledger(let failure) = error, failure.kind == .replaced {
            self.init(.ledgerReplaced)
        } else if error.isDiskFull {
            self.init(.diskFull)
        } else {
            self.init(error.isTransient ? .overloaded : .unavailable)
        }
    }
}

extension ProblemCode {
    /// The same refusal, as a socket says it.
    init(_ refusal: AdminActionRejection) {
        guard let code = ProblemCode(rawValue: refusal.code) else {
            preconditionFailure("every refusal of an admin action has its code on the sockets")
        }
        self = code
    }
}
