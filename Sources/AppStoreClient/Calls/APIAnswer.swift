internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// A JSON answer of the server API, read strictly: a missing member or one of another type is a bad
/// answer. Unknown members are ignored.
struct APIAnswer {
    private let document: JSONDocument
    private let httpStatus: Int

    init(_ response: TransportResponse, limit: Int) throws(AppStoreFailure) {
        httpStatus = response.status
        do throws(JSONError) {
            document = try JSONDocument(response.body, limits: JSONLimits(bytes: limit))
        } catch {
            throw AppStoreFailure(.badAnswer, httpStatus: response.status)
        }
        guard document.isObject(at: .root) else { throw bad }
    }

    var bad: AppStoreFailure { AppStoreFailure(.badAnswer, httpStatus: httpStatus) }

    func text(_ name: StaticString, of object: JSONOffset = .root) throws(AppStoreFailure) -> String
    {
        guard let text = try textIfAny(name, of: object) else { throw bad }
        return text
    }

    /// Nil for a member that is missing or null.
    func textIfAny(
        _ name: StaticString, of object: JSONOffset = .root
    ) throws(AppStoreFailure) -> String? {
        guard let place = place(name, of: object) else { return nil }
        guard let text = document.string(at: place) else { throw bad }
        return text
    }

    func integer(
        _ name: StaticString, of object: JSONOffset = .root
    ) throws(AppStoreFailure) -> Int64 {
        guard let number = try integerIfAny(name, of: object) else { throw bad }
        return number
    }

    func integerIfAny(
        _ name: StaticString, of object: JSONOffset = .root
    ) throws(AppStoreFailure) -> Int64? {
        guard let place = place(name, of: object) else { return nil }
        guard let number = document.int64(at: place) else { throw bad }
        return number
    }

    /// False for a member that is missing.
    func flag(_ name: StaticString) throws(AppStoreFailure) -> Bool {
        guard let place = place(name, of: .root) else { return false }
        guard let flag = document.bool(at: place) else { throw bad }
        return flag
    }

    /// Empty for a member that is missing.
    func texts(_ name: StaticString, atMost count: Int) throws(AppStoreFailure) -> [String] {
        var texts: [String] = []
        for place in try list(name, of: .root, atMost: count) {
            guard let text = document.string(at: place) else { throw bad }
            texts.append(text)
        }
        return texts
    }

    /// The places of the elements; none for a member that is missing.
    func list(
        _ name: StaticString, of object: JSONOffset = .root, atMost count: Int = .max
    ) throws(AppStoreFailure) -> [JSONOffset] {
        guard let place = place(name, of: object) else { return [] }
        guard document.isArray(at: place) else { throw bad }
        let places = Array(document.elements(of: place))
        guard places.count <= count else { throw bad }
        return places
    }

    private func place(_ name: StaticString, of object: JSONOffset) -> JSONOffset? {
        document.member(name, of: object).flatMap { document.isNull(at: $0) ? nil : $0 }
    }
}

extension AppStoreClient {
    /// Sends a call of the server API and reads what it answers: for this app and environment, where
    /// it says for which.
    func answer(
        to call: AppStoreCall, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) -> APIAnswer {
        let answer = try APIAnswer(
            await send(call, in: environment), limit: configuration.limits.answerBytes)
        try check(answer, in: environment)
        return answer
    }

    private func check(
        _ answer: APIAnswer, in environment: StoreEnvironment
    ) throws(AppStoreFailure) {
        if let name = try answer.textIfAny("environment"), name != environment.signedName {
            throw answer.bad
        }
        if let bundleID = try answer.textIfAny("bundleId"),
            !bundleID.utf8.elementsEqual(configuration.bundleID.text.utf8)
        {
            throw answer.bad
        }
        // The sandbox has no such number, or 0.
        if environment == .production, let expected = configuration.appAppleID,
            let found = try answer.integerIfAny("appAppleId"), found != expected
        {
            throw answer.bad
        }
    }

    /// The claims of a JWS before its signature is verified: enough to detect a wrong answer.
    /// Whoever uses it verifies it.
    func checkClaims(
        _ jws: String, in environment: StoreEnvironment, of id: TransactionID? = nil
    ) throws(AppStoreFailure) {
        let bad = AppStoreFailure(.badAnswer, httpStatus: 200)
        let parts = Array(jws.utf8).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.url.decode(parts[1]),
            let document = try? JSONDocument(payload)
        else { throw bad }
        func says(_ name: StaticString, _ text: String) -> Bool {
            guard let place = document.member(name, of: .root) else { return true }
            guard let found = document.string(at: place) else { return false }
            return found.utf8.elementsEqual(text.utf8)
        }
        guard says("bundleId", configuration.bundleID.text),
            says("environment", environment.signedName),
            says("receiptType", environment.signedName),
            says("transactionId", id?.text ?? document.text("transactionId"))
        else { throw bad }
    }
}

extension JSONDocument {
    fileprivate func text(_ name: StaticString) -> String {
        member(name, of: .root).flatMap { string(at: $0) } ?? ""
    }
}

/// Look-ups of IDs whose environment is unknown.
extension AppStoreClient {
    /// Asks production first; the sandbox if production says that the id is unknown, and for no
    /// other failure. An app without a production release gets 401 from production: if the settings
    /// say that it is one, the sandbox is asked then too.
    func ask<Answer: Sendable>(
        in environment: StoreEnvironment?,
        _ call: (StoreEnvironment) async throws(AppStoreFailure) -> Answer
    ) async throws(AppStoreFailure) -> Answer {
        if let environment { return try await call(environment) }
        do throws(AppStoreFailure) {
            return try await call(.production)
        } catch {
            guard isForSandbox(error) else { throw error }
        }
        do throws(AppStoreFailure) {
            return try await call(.sandbox)
        } catch {
            throw error.afterFallback
        }
    }

    private func isForSandbox(_ failure: AppStoreFailure) -> Bool {
        switch failure.kind {
        case .notFound: APIErrorCode.asksForSandbox(failure.code)
        // Without a key nothing was asked.
        case .unauthorized: !configuration.isReleased && failure.httpStatus == 401
        case .rateLimited, .unavailable, .network, .badAnswer, .rejected: false
        }
    }
}

extension AppStoreFailure {
    /// The same failure of a server that was asked because another one said so.
    var afterFallback: AppStoreFailure {
        var failure = self
        failure.isAfterFallback = true
        return failure
    }
}
