internal import AppStoreClient
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// One command's talk with Apple's servers: it asks, verifies what comes, and prints it.
struct AppStoreSession {
    let client: AppStoreClient
    let verifier: EvidenceVerifier
    let output: OutputOptions

    var language: Language { output.language }

    /// A call, with Apple's failures as the command's.
    func ask<Answer>(
        _ call: (AppStoreClient) async throws(AppStoreFailure) -> Answer
    ) async throws(CommandFailure) -> Answer {
        do throws(AppStoreFailure) {
            return try await call(client)
        } catch {
            throw .appStore(error)
        }
    }

    /// What a JWS says, and whether it is genuine.
    func inspect(_ jws: String) -> Inspection {
        EvidenceVerification.inspect(
            Array(jws.utf8), verifier: verifier, at: SystemClock().now())
    }

    func inspect(_ list: [String]) -> [Inspection] { list.map(inspect) }

    /// Prints JSON for programs, or a page for people.
    func show(
        _ json: JSONValue, as write: (inout Page) -> Void
    ) throws(CommandFailure) {
        try output.show(quiet: false, json: { json.serialized() }, as: write)
    }
}

extension Inspection {
    /// Whether it is genuine and about this app.
    var isGenuine: Bool { verdictWord != "refused" }
}

extension Page {
    /// A JWS as `usher inspect` shows it.
    mutating func write(_ inspection: Inspection) {
        tree([branch(inspection)])
    }

    /// Everything that one title stands above.
    mutating func write(_ title: String, _ inspections: [Inspection]) {
        heading(title)
        tree(inspections.map(branch))
    }

    private func branch(_ inspection: Inspection) -> Branch {
        let lines = inspection.text(language).split(separator: "\n").map(String.init)
        return Branch(lines.first ?? "", lines.dropFirst().map { Branch($0) })
    }

    /// What happened when Apple sent a notification.
    mutating func write(_ attempts: [NotificationRecord.Attempt]) {
        guard !attempts.isEmpty else {
            return add(AppStorePhrase.noAttempts.text(language))
        }
        add(AppStorePhrase.attempts.text(language))
        tree(
            attempts.map {
                Branch(AppStorePhrase.attempt.text(language, $0.at.date, $0.result.shown))
            })
    }
}

extension NotificationRecord {
    /// With what its JWS says.
    func json(_ inspection: Inspection) -> JSONValue {
        [
            "notification": inspection.json(),
            "attempts": .array(
                attempts.map {
                    ["at": .string($0.at.rfc3339), "result": .string($0.result)]
                }),
        ]
    }
}
