internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// What a policy would change.
extension Endpoint {
    static let policies = [
        Endpoint(
            "policyImpact", .post, "/v1/policy/impact",
            "Who gains and who loses what by a policy, now and on the next 30 days. Runs in the "
                + "background: ask again with the same body until 'impact' is there.",
            traffic: .evidence,
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
            })
    ]
}

extension ImpactRunAnswer {
    fileprivate init(_ body: PolicyImpactBody, _ engine: EntitlementEngine) throws(Problem) {
        let files = try Self.files(body.files)
        var oldFiles: [PolicyActivation.File]?
        if let sent = body.oldFiles { oldFiles = try Self.files(sent) }
        let standing: ImpactStanding
        do throws(EngineError) {
            standing = try engine.askForImpact(of: files, replacing: oldFiles)
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

    private static func files(
        _ sent: [PolicyTextAnswer.File]
    ) throws(Problem) -> [PolicyActivation.File] {
        var files: [PolicyActivation.File] = []
        for file in sent {
            let decoded = file.base64.flatMap { Base64.standard.decode(Array($0.utf8)[...]) }
            guard let bytes = file.text.map({ Array($0.utf8) }) ?? decoded else {
                throw Problem(.missing, field: "text")
            }
            files.append(PolicyActivation.File(path: file.path, bytes: bytes))
        }
        return files
    }
}
