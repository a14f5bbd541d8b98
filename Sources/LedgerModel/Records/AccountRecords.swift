internal import EntitlementModel
internal import StrictJSON

extension Grant: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("environment", environment)
        writer.field("from", from)
        writer.object("gift", gift)
        writer.field("id", id)
        writer.field("reason", reason)
        writer.field("until", until)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let from = try fields.instant("from")
        let gift = try fields.object("gift", as: GrantedGift.self)
        let id = try fields.identifier("id", as: GrantID.self)
        let reason = try fields.text("reason")
        self.init(
            id: id, account: account, environment: environment, gift: gift, from: from,
            until: try fields.optionalInstant("until"), actor: actor, reason: reason)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.grant, Array(id.text.utf8), for: sequence)
        try index.link(sequence, to: account)
    }

    /// It may pay what an account owes.
    var subjects: EntrySubjects {
        guard case .credit = gift else { return EntrySubjects() }
        return EntrySubjects(accounts: [account])
    }
}

extension GrantedGift: PayloadObject {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .entitlement(let name): writer.field("entitlement", name)
        case .credit(let name, let units):
            writer.field("credit", name)
            writer.field("units", units)
        }
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        if let name = try fields.optionalIdentifier("entitlement", as: EntitlementName.self) {
            self = .entitlement(name)
        } else {
            let name = try fields.identifier("credit", as: CreditName.self)
            self = .credit(name, units: try fields.integer("units"))
        }
    }
}

extension GrantRevocation: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        if case .paid(_, let given) = effect { writer.field("given", given) }
        writer.field("grant", grant)
        writer.optionalObject("payment", payment)
        writer.field("reason", reason)
        if effect == .undone { writer.field("undone", true) }
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let given = try fields.optionalInstant("given")
        let grant = try fields.identifier("grant", as: GrantID.self)
        let payment = try fields.optionalObject("payment", as: TransactionKey.self)
        let reason = try fields.text("reason")
        let isUndone = try fields.optionalFlag("undone") ?? false
        let paid = payment.flatMap { payment in given.map { Effect.paid(payment, given: $0) } }
        self.init(
            grant: grant, account: account, actor: actor, reason: reason,
            effect: paid ?? (isUndone ? .undone : .ends))
    }

    /// What takes the place of a gift is looked at with the purchase.
    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        if let payment {
            try index.place(sequence, payment, for: [account])
        } else {
            try index.link(sequence, to: account)
        }
    }
}

extension Block: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        if !scope.isEverything {
            writer.array("credits", of: scope.credits)
            writer.array("entitlements", of: scope.entitlements)
        }
        writer.field("id", id)
        writer.field("reason", reason)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let credits = try fields.optionalIdentifiers("credits", as: CreditName.self)
        let entitlements = try fields.optionalIdentifiers(
            "entitlements", as: EntitlementName.self)
        let scope = BlockScope(entitlements: entitlements ?? [], credits: credits ?? [])
        // One that was written names something.
        guard (credits == nil) == (entitlements == nil),
            credits == nil
                || scope.credits == credits && scope.entitlements == entitlements
                    && !scope.isEverything
        else { throw PayloadError("credits") }
        let id = try fields.identifier("id", as: BlockID.self)
        self.init(
            id: id, account: account, scope: scope, actor: actor,
            reason: try fields.text("reason"))
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.block, Array(id.text.utf8), for: sequence)
        try index.link(sequence, to: account)
    }
}

extension BlockRemoval: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("block", block)
        writer.field("reason", reason)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let block = try fields.identifier("block", as: BlockID.self)
        self.init(
            block: block, account: account, actor: actor, reason: try fields.text("reason"))
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.link(sequence, to: account)
    }
}

extension AccountTokenRegistration: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("reason", reason)
        writer.field("token", token.text)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let reason = try fields.text("reason")
        guard let token = try fields.optionalToken("token") else { throw PayloadError("token") }
        self.init(token: token, account: account, actor: actor, reason: reason)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.insert(token, at: sequence)
        try index.link(sequence, to: account)
    }

    var subjects: EntrySubjects { EntrySubjects(tokens: [token]) }
}

extension AccountMerge: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("actor", actor)
        if !credits.isEmpty { writer.array("credits", of: credits) }
        writer.field("from", from)
        writer.field("into", into)
        writer.field("reason", reason)
        writer.field(rules: rules)
        writer.field("undoes", undoes)
        // Merges of before say nothing of it.
        if isUpToNow { writer.field("upToNow", isUpToNow) }
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let actor = try fields.text("actor")
        let credits = try fields.optionalObjects("credits", as: CarriedCredit.self)
        // One that was written holds something.
        guard credits?.isEmpty != true else { throw PayloadError("credits") }
        let from = try fields.identifier("from", as: AccountID.self)
        let into = try fields.identifier("into", as: AccountID.self)
        let reason = try fields.text("reason")
        let rules = try fields.rules()
        let undoes = try fields.optionalSequence("undoes")
        let isUpToNow = try fields.optionalFlag("upToNow")
        guard isUpToNow != false else { throw PayloadError("upToNow") }
        self.init(
            from: from, into: into, undoes: undoes, isUpToNow: isUpToNow ?? false, actor: actor,
            reason: reason, credits: credits ?? [], rules: rules)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        for account in [from, into] { try index.link(sequence, to: account) }
    }

    var subjects: EntrySubjects { EntrySubjects(accounts: [from, into]) }
}

extension StoreReport: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("environment", environment)
        writer.array("invalid", of: invalidProducts ?? [])
        // No list is something else than an empty one.
        writer.field("listed", invalidProducts != nil)
        writer.array("payments", of: payments)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let invalid = try fields.identifiers("invalid", as: ProductID.self)
        let isListed = try fields.flag("listed")
        self.init(
            account: account, environment: environment,
            invalidProducts: isListed ? invalid : nil,
            payments: try fields.objects("payments", as: FailedPayment.self), actor: actor)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.link(sequence, to: account)
    }

    var subjects: EntrySubjects { EntrySubjects(accounts: [account]) }
}

extension FailedPayment: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("occurredDate", occurredAt)
        writer.field("outcome", outcome)
        writer.field("product", product)
        writer.field("storeCode", storeCode)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let occurredAt = try fields.optionalInstant("occurredDate")
        let outcome = try fields.word("outcome", as: Outcome.self)
        let product = try fields.identifier("product", as: ProductID.self)
        self.init(
            product: product, outcome: outcome, storeCode: try fields.optionalText("storeCode"),
            occurredAt: occurredAt)
    }
}
