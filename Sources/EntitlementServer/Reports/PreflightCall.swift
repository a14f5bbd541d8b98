internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// `POST /v1/preflight`: a look at a purchase before it is paid for (spec 1.8). It blocks.
struct PreflightCall: Sendable {
    let engine: EntitlementEngine
    let body: JSONValue

    func answer() throws(Problem) -> ResponseDraft {
        let request = try request()
        var writer = AnswerWriter()
        do throws(EngineError) {
            writer.append(try engine.questions.preflight(request, at: engine.now()))
        } catch {
            throw Problem(error)
        }
        return ResponseDraft(writer)
    }

    private func request() throws(Problem) -> PreflightRequest {
        let body = try RequestBody(
            body, knowing: ["account", "product", "environment", "apple_id"])
        return PreflightRequest(
            account: try body.id("account"), product: try body.id("product"),
            environment: try body.environment(), appleID: try body.idIfAny("apple_id"))
    }
}
