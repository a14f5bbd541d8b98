package import EntitlementModel

extension PolicyActivation: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let acceptance = try visitor.optional("acceptance", \.acceptance)
        let digest = try visitor.value("digest", \.digest)
        let files = try visitor.value("files", \.files)
        let heldBack = try visitor.optional("heldBack", \.heldBack)
        let rules = try visitor.rules(\.rules)
        // Rules of a newer program would be decided differently by this one.
        guard rules <= ClaimRules.version || !visitor.isReading else {
            throw PayloadError("rules")
        }
        return Self(
            digest: digest, files: files, acceptance: acceptance,
            schedule: try visitor.optional("schedule", \.schedule), heldBack: heldBack, rules: rules
        )
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        schedule.map { PolicyScheduleEnd.keys(ofSchedule: $0, at: sequence) } ?? []
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [] }
}

extension PolicyActivation.Acceptance: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let accounts = try visitor.optional("accountsAtMost", \.accountsAtMost)
        let actor = try visitor.optional("actor", \.actor)
        let means = try visitor.value("means", \.means)
        return Self(
            means: means, actor: actor, reason: try visitor.optional("reason", \.reason),
            accountsAtMost: accounts)
    }
}

extension PolicyActivation.File: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        // Policies are text, to be read by people; the certificates that they name need not be.
        let encoded = try visitor.optional("base64") { $0.text == nil ? $0.base64 : nil }
        let path = try visitor.value("path", \.path)
        guard let encoded else {
            let text = try visitor.value("text") { $0.text ?? "" }
            return Self(path: path, bytes: Array(text.utf8))
        }
        guard let bytes = Base64.standard.decode(Array(encoded.utf8)[...]) else {
            throw PayloadError("base64")
        }
        return Self(path: path, bytes: bytes)
    }
}

extension PolicyActivation.File {
    private var text: String? { String(validating: bytes, as: UTF8.self) }

    /// For bytes that are no text.
    package var base64: String { Base64.standard.encode(bytes) }
}

extension PolicySchedule: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let accounts = try visitor.optional("accountsAtMost", \.accountsAtMost)
        let actor = try visitor.value("actor", \.actor)
        let base = try visitor.value("base", \.base)
        let digest = try visitor.value("digest", \.digest)
        let dueDate = try visitor.value("dueDate", \.dueDate)
        let files: [PolicyActivation.File] = try visitor.value("files", \.files)
        return Self(
            digest: digest, files: files, dueDate: dueDate, base: base, accountsAtMost: accounts,
            actor: actor, reason: try visitor.value("reason", \.reason))
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.policySchedule, Self.name(ofEntry: sequence))]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [] }
}

extension PolicySchedule {
    /// What entries about scheduled policies are found by, in the order of the ledger.
    package static func name(ofEntry sequence: LedgerSequence) -> [UInt8] {
        let digits = "\(max(0, sequence.number))"
        return Array((String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits).utf8)
    }
}

extension PolicyScheduleEnd: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let actor = try visitor.optional("actor", \.actor)
        let base = try visitor.optional("base", \.base)
        let losing = try visitor.optional("losing", \.losing)
        let obstacle = try visitor.optional("obstacle", \.obstacle)
        let outcome = try visitor.value("outcome", \.outcome)
        let reason = try visitor.optional("reason", \.reason)
        return Self(
            schedule: try visitor.value("schedule", \.schedule), outcome: outcome,
            obstacle: obstacle,
            base: base, losing: losing, actor: actor, reason: reason)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        Self.keys(ofSchedule: schedule, at: sequence)
    }

    /// A scheduled policy ends once: it comes into force, is refused or is taken back.
    static func keys(
        ofSchedule schedule: LedgerSequence, at sequence: LedgerSequence
    ) -> [EntryKey] {
        [
            .unique(.policySchedule, PolicySchedule.name(ofEntry: sequence)),
            .unique(.policyScheduleEnd, "\(schedule)"),
        ]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [] }
}
