package import EntitlementModel
internal import StrictJSON

extension PolicySchedule: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("accountsAtMost", accountsAtMost)
        writer.field("actor", actor)
        writer.field("base", base)
        writer.field("digest", digest)
        writer.field("dueDate", dueDate)
        writer.array("files", of: files)
        writer.field("reason", reason)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let accounts = try fields.optionalInteger("accountsAtMost")
        let actor = try fields.text("actor")
        let base = try fields.digest("base")
        let digest = try fields.digest("digest")
        let dueDate = try fields.instant("dueDate")
        let files: [PolicyActivation.File] = try fields.objects("files")
        self.init(
            digest: digest, files: files, dueDate: dueDate, base: base, accountsAtMost: accounts,
            actor: actor, reason: try fields.text("reason"))
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.policySchedule, Self.name(ofEntry: sequence), for: sequence)
    }
}

extension PolicySchedule {
    /// What entries about scheduled policies are found by, in the order of the ledger.
    package static func name(ofEntry sequence: LedgerSequence) -> [UInt8] {
        let digits = "\(max(0, sequence.number))"
        return Array((String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits).utf8)
    }
}

extension PolicyScheduleEnd: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("actor", actor)
        writer.field("base", base)
        writer.field("losing", losing)
        writer.field("obstacle", obstacle?.rawValue)
        writer.field("outcome", outcome)
        writer.field("reason", reason)
        writer.field("schedule", schedule)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let actor = try fields.optionalText("actor")
        let base = try fields.optionalDigest("base")
        let losing = try fields.optionalInteger("losing")
        let obstacle = try fields.optionalWord("obstacle", as: Obstacle.self)
        let outcome = try fields.word("outcome", as: Outcome.self)
        let reason = try fields.optionalText("reason")
        self.init(
            schedule: try fields.sequence("schedule"), outcome: outcome, obstacle: obstacle,
            base: base, losing: losing, actor: actor, reason: reason)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try Self.insertKeys(ofSchedule: schedule, into: &index, at: sequence)
    }

    /// A scheduled policy ends once: it comes into force, is refused or is taken back.
    static func insertKeys(
        ofSchedule schedule: LedgerSequence, into index: inout some LedgerIndex,
        at sequence: LedgerSequence
    ) throws {
        try index.reserve(
            .policySchedule, PolicySchedule.name(ofEntry: sequence), for: sequence)
        try index.reserve(.policyScheduleEnd, Array("\(schedule)".utf8), for: sequence)
    }
}
