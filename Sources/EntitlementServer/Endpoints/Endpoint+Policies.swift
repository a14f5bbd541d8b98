internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// The effects of a policy change.
extension Endpoint {
    static let policies = [
        Endpoint(
            "policyImpact", .post, "/v1/policy/impact",
            "Who gains and who loses what by a policy, now and on the next 30 days, or as many as "
                + "'days' says, from 1 to 400. Runs in the "
                + "background: ask again with the same body until 'impact' is there.",
            traffic: .evidence,
            isLocal: true,
            body: Body(
                PolicyImpactBody.self,
                example: ["files": [["path": "policy.yaml", "text": "usher: 1"]]]),
            answers: [
                .json("How far the comparison has come.", ImpactRunAnswer.self),
                .problem(422, "One of the policies has errors."),
                .problem(503, "Another comparison is running."),
            ],
            work: .operation { call, service throws(Problem) in
                let body = try service.body(PolicyImpactBody.self, of: call)
                let engine = service.engine
                return try await service.offLoop { () throws(Problem) in
                    ResponseDraft(try ImpactRunAnswer(body, engine))
                }
            }),
        Endpoint(
            "schedulePolicy", .post, "/v1/policy/schedule",
            "Schedules a policy. It is checked and compared now and again when it is due: rejected "
                + "if more accounts lose something than 'accept_loss' accepts. Answers when they "
                + "are counted.",
            role: .admin, traffic: .evidence, isPreviewable: true,
            body: Body(
                ScheduleBody.self,
                example: [
                    "files": [["path": "policy.yaml", "text": "usher: 1"]],
                    "reason": "The winter price list.",
                ], ahead: "due"),
            answers: [
                .json("Done and durable.", Written<ScheduledPolicyAnswer>.self),
                .problem(403, "Not done."), .problem(409, "Not done."), .problem(422, "Not done."),
            ],
            work: .operation { call, service throws(Problem) in
                let body = try service.body(ScheduleBody.self, of: call)
                return ResponseDraft(try await schedule(body, call, service.engine))
            }),
        Endpoint(
            "scheduledPolicies", .get, "/v1/policy/scheduled",
            "The scheduled policies, what each would take away today, and what became of earlier "
                + "ones.",
            answers: [.json("By when they are due.", PolicySchedulesAnswer.self)],
            work: .operation { call, service throws(Problem) in
                let engine = service.engine
                return try await service.offLoop { () throws(Problem) in
                    do throws(EngineError) {
                        return ResponseDraft(try engine.policyScheduleReport())
                    } catch {
                        throw Problem(error)
                    }
                }
            }),
        action(
            "unschedulePolicy", .delete, "/v1/policy/scheduled/{schedule:412}",
            "Takes a scheduled policy back.", ScheduledPolicyAnswer.self, 404, 409,
            body: Body(ReasonRequest.self, example: ["reason": "The prices are not final."])
        ) { (body: ReasonRequest, call, engine) throws(Problem) in
            let (place, cause) = (try call.position(0, "schedule"), call.cause(body.reason))
            let report: Result<ScheduledPolicy, ScheduleDenial>
            do throws(EngineError) {
                report = try await engine.takeBackSchedule(place, cause)
            } catch {
                throw Problem(error)
            }
            switch report {
            case .success(let scheduled):
                return Written(ScheduledPolicyAnswer(scheduled), engine.revision)
            case .failure(let denial): throw Problem(denial)
            }
        },
    ]

    private static func schedule(
        _ body: ScheduleBody, _ call: OperationsCall, _ engine: EntitlementEngine
    ) async throws(Problem) -> Written<ScheduledPolicyAnswer> {
        try Problem.require(body.acceptLoss, in: 0...1_000_000_000, field: "accept_loss")
        let files = try ImpactRunAnswer.files(body.files, "files")
        let request = ScheduleRequest(
            files: files, due: body.due, acceptLoss: body.acceptLoss,
            cause: call.cause(body.reason))
        let report: ScheduleReport
        do throws(EngineError) {
            report = try await engine.schedulePolicy(request)
        } catch {
            throw Problem(error)
        }
        switch report {
        case .scheduled(let scheduled, let losses, let losing, let edits):
            var answer = ScheduledPolicyAnswer(scheduled)
            (answer.losses, answer.losing) = (Int64(losses.count), losing)
            answer.edits = edits.isEmpty ? nil : edits
            return Written(answer, answer.schedule)
        case .rejected: throw Problem(.policyRejected, field: "files")
        case .loses(let waiting):
            var problem = Problem(.scheduleLoses, field: "accept_loss")
            (problem.losing, problem.replaces) = (waiting.losing, waiting.replaces)
            throw problem
        case .denied(let denial): throw Problem(denial)
        }
    }
}

extension Problem {
    fileprivate init(_ denial: ScheduleDenial) {
        switch denial {
        case .past: self.init(.schedulePast, field: "due")
        case .tooFar: self.init(.scheduleTooFar, field: "due")
        case .tooMany: self.init(.scheduleTooMany)
        case .instantTaken: self.init(.scheduleInstantTaken, field: "due")
        case .unchanged: self.init(.scheduleUnchanged, field: "files")
        case .changed: self.init(.scheduleChanged)
        case .unknown: self.init(.scheduleUnknown, field: "schedule")
        case .ended: self.init(.scheduleEnded, field: "schedule")
        }
    }
}

extension ImpactRunAnswer {
    fileprivate init(_ body: PolicyImpactBody, _ engine: EntitlementEngine) throws(Problem) {
        let files = try Self.files(body.files, "files")
        var oldFiles: [PolicyActivation.File]?
        if let sent = body.oldFiles { oldFiles = try Self.files(sent, "old_files") }
        try Problem.require(
            body.days, in: EntitlementEngine.impactDays, field: "days", as: .number)
        let standing: ImpactStanding
        do throws(EngineError) {
            standing = try engine.askForImpact(
                of: files, replacing: oldFiles, days: body.days)
        } catch {
            throw Problem(error)
        }
        switch standing {
        case .running(let done, let total): self.init(done: done, total: total, impact: nil)
        case .done(let impact):
            self.init(done: impact.concerned, total: impact.concerned, impact: impact)
        case .busy: throw Problem(.overloaded)
        case .rejected(let isOld):
            throw Problem(.policyRejected, field: isOld ? "old_files" : "files")
        }
    }

    fileprivate static func files(
        _ sent: [PolicyTextAnswer.File], _ field: String
    ) throws(Problem) -> [PolicyActivation.File] {
        var files: [PolicyActivation.File] = []
        for (index, file) in sent.enumerated() {
            let decoded = file.base64.flatMap { Base64.standard.decode(Array($0.utf8)[...]) }
            guard let bytes = file.text.map({ Array($0.utf8) }) ?? decoded else {
                throw Problem(.missing, field: "\(field)[\(index)].text")
            }
            files.append(PolicyActivation.File(path: file.path, bytes: bytes))
        }
        return files
    }
}
