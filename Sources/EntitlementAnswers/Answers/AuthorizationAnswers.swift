package import EntitlementDerivation
package import EntitlementModel

/// A decision as AuthZEN has it.
package struct EvaluationAnswer: WireObject {
    /// True where it is the answer as if something had happened; else nil.
    package var isAssumed: Bool?
    package var decision: Bool
    package var context: DecisionContext

    package init(isAssumed: Bool? = nil, decision: Bool, context: DecisionContext) {
        self.isAssumed = isAssumed
        self.decision = decision
        self.context = context
    }

    package static var shapeName: String { "Decision" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        EvaluationAnswer(
            isAssumed: try shape.optional("assumed", \.isAssumed),
            decision: try shape.value("decision", \.decision),
            context: try shape.value("context", \.context))
    }
}

/// The basis of a decision. The members depend on the question: a right, a purchase, a spend, or an
/// unreadable one.
package struct DecisionContext: WireObject {
    package var reason: String?
    package var balance: Int128?
    package var verdict: PreflightEffect?
    package var claim: OrNull<ClaimOutcome>?
    package var claimWithoutToken: OrNull<ClaimOutcome>?
    package var notes: [NoteAnswer]?
    package var error: DecisionError?
    package var state: OrNull<EntitlementState>?
    package var expiryReason: ExpiryReason?
    package var until: OrNull<Instant>?
    package var paidUntil: OrNull<Instant>?
    package var willRenew: OrNull<Bool>?
    package var source: OrNull<SourceAnswer>?
    package var rule: RuleReference?
    package var policy: Digest256?
    package var revision: LedgerSequence?

    package init() {}

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var context = DecisionContext()
        context.reason = try shape.optional("reason", \.reason)
        context.balance = try shape.optional("balance", \.balance)
        context.verdict = try shape.optional("verdict", \.verdict)
        context.claim = try shape.optional("claim", \.claim)
        context.claimWithoutToken = try shape.optional(
            "claim_without_token", \.claimWithoutToken)
        context.notes = try shape.optional("notes", \.notes)
        context.error = try shape.optional("error", \.error)
        context.state = try shape.optional("state", \.state)
        context.expiryReason = try shape.optional("expiry_reason", \.expiryReason)
        context.until = try shape.optional("until", \.until)
        context.paidUntil = try shape.optional("paid_until", \.paidUntil)
        context.willRenew = try shape.optional("will_renew", \.willRenew)
        context.source = try shape.optional("source", \.source)
        context.rule = try shape.optional("rule", \.rule)
        context.policy = try shape.optional("policy", \.policy)
        context.revision = try shape.optional("revision", \.revision)
        return context
    }
}

/// Why one question of a batch has no answer.
package struct DecisionError: WireObject {
    package var status: Int64
    package var code: String
    package var message: String
    package var field: String?

    package init(status: Int64, code: String, message: String, field: String?) {
        self.status = status
        self.code = code
        self.message = message
        self.field = field
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DecisionError(
            status: try shape.value("status", \.status), code: try shape.value("code", \.code),
            message: try shape.value("message", \.message),
            field: try shape.optional("field", \.field))
    }
}

/// The decisions of a batch, in the order of its questions.
package struct EvaluationAnswers: WireObject {
    package var evaluations: [EvaluationAnswer]

    package static var shapeName: String { "Decisions" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        EvaluationAnswers(evaluations: try shape.value("evaluations", \.evaluations))
    }
}

/// A page of AuthZEN's search.
package struct SearchPage: WireObject {
    package struct Mark: WireObject {
        /// Empty on the last page.
        package var nextToken: String
        package var count: Int64

        package static var shapeName: String { "PageMark" }

        package static func members(
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            Mark(
                nextToken: try shape.value("next_token", \.nextToken),
                count: try shape.value("count", \.count))
        }
    }

    /// A subject or resource has a type and an id, an action a name.
    package struct Found: WireObject {
        package var type: String?
        package var id: String?
        package var name: String?

        package init(type: String? = nil, id: String? = nil, name: String? = nil) {
            self.type = type
            self.id = id
            self.name = name
        }

        package static var shapeName: String { "SearchResult" }

        package static func members(
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            Found(
                type: try shape.optional("type", \.type), id: try shape.optional("id", \.id),
                name: try shape.optional("name", \.name))
        }
    }

    package var page: Mark
    package var results: [Found]

    package init(nextToken: String, results: [Found]) {
        page = Mark(nextToken: nextToken, count: Int64(results.count))
        self.results = results
    }

    package static var shapeName: String { "SearchPage" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let page = try shape.value("page", \.page)
        return SearchPage(nextToken: page.nextToken, results: try shape.value("results", \.results))
    }
}

/// AuthZEN's discovery document: the calls that are served.
package struct AuthorizationMetadata: WireObject {
    package var policyDecisionPoint: String
    package var evaluation: String
    package var evaluations: String
    package var subjectSearch: String?
    package var resourceSearch: String?
    package var actionSearch: String?

    package init(baseURL: String, servesSearches: Bool) {
        let search = servesSearches ? baseURL + "/access/v1/search/" : nil
        self.init(
            policyDecisionPoint: baseURL, evaluation: baseURL + "/access/v1/evaluation",
            evaluations: baseURL + "/access/v1/evaluations",
            subjectSearch: search.map { $0 + "subject" },
            resourceSearch: search.map { $0 + "resource" },
            actionSearch: search.map { $0 + "action" })
    }

    private init(
        policyDecisionPoint: String, evaluation: String, evaluations: String,
        subjectSearch: String?, resourceSearch: String?, actionSearch: String?
    ) {
        self.policyDecisionPoint = policyDecisionPoint
        self.evaluation = evaluation
        self.evaluations = evaluations
        self.subjectSearch = subjectSearch
        self.resourceSearch = resourceSearch
        self.actionSearch = actionSearch
    }

    package static var shapeName: String { "Metadata" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AuthorizationMetadata(
            policyDecisionPoint: try shape.value("policy_decision_point", \.policyDecisionPoint),
            evaluation: try shape.value("access_evaluation_endpoint", \.evaluation),
            evaluations: try shape.value("access_evaluations_endpoint", \.evaluations),
            subjectSearch: try shape.optional("search_subject_endpoint", \.subjectSearch),
            resourceSearch: try shape.optional("search_resource_endpoint", \.resourceSearch),
            actionSearch: try shape.optional("search_action_endpoint", \.actionSearch))
    }
}
