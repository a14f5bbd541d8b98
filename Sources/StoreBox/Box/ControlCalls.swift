internal import EntitlementModel
internal import Sentences
internal import StrictJSON

/// The calls under `/box`, by which a test controls the App Store.
extension AppStoreWorld {
    /// Nil if it is not a control call, or moves the clock.
    func control(_ request: AppStoreRequest, _ target: RequestTarget) -> AppStoreResponse {
        do throws(ControlError) {
            if request.method == "GET" { return try show(target) }
            return try change(request, target)
        } catch {
            return error.response
        }
    }

    private func change(
        _ request: AppStoreRequest, _ target: RequestTarget
    ) throws(ControlError) -> AppStoreResponse {
        switch (request.method, target.path.dropFirst().first, target.path.count) {
        case ("POST", "say", 2): return try say(ControlFields(request.body))
        case ("PUT", "products", 2): return try sell(ControlFields(request.body))
        case ("DELETE", "products", 3): return try stopSelling(target.path[2])
        case ("POST", "failures", 2):
            failures.append(try FailureRule(ControlFields(request.body).value))
            return AppStoreResponse(status: 201, json: describeFailures())
        case ("DELETE", "failures", 2):
            failures = []
            return AppStoreResponse(json: describeFailures())
        case ("PUT", "notifications", 2): return try disturb(ControlFields(request.body))
        default: throw ControlError(.notFound, "call", "/" + target.path.joined(separator: "/"))
        }
    }

    /// Lines of a play. All of them are read before the first is played.
    private func say(_ fields: ControlFields) throws(ControlError) -> AppStoreResponse {
        try fields.allow(["line", "lines", "environment"])
        let environment = try fields.environment()
        let lines = try self.lines(fields)
        for (index, line) in lines.enumerated() {
            do throws(PlayMistake) {
                _ = try PlayStep(line, line: index + 1, now: now)
            } catch {
                throw ControlError(error)
            }
        }
        var said: [JSONValue] = []
        for line in lines {
            do throws(PlayMistake) {
                let events = try say(line, in: environment)
                said.append([
                    "line": .string(line),
                    "evidence": .array(events.map { describe($0, side(environment)) }),
                ])
            } catch {
                var response = ControlError(error).response
                response.body =
                    (try? parseJSON(response.body)).map { body in
                        var body = body
                        body["line"] = .string(line)
                        body["said"] = .array(said)
                        return body.serialized()
                    } ?? response.body
                return response
            }
        }
        return AppStoreResponse(json: ["now": .string(now.rfc3339), "said": .array(said)])
    }

    private func lines(_ fields: ControlFields) throws(ControlError) -> [String] {
        if let line = try fields.string("line") { return [line] }
        let elements = fields.value["lines"]?.elements ?? []
        let lines = elements.compactMap(\.string)
        guard lines.count == elements.count else { throw ControlError(.badValue, "lines") }
        guard !lines.isEmpty else { throw ControlError(.missing, "line") }
        return lines
    }

    /// A piece of evidence, signed.
    private func describe(_ event: StoreEvent, _ side: StoreSide) -> JSONValue {
        var value: JSONValue = ["kind": .string(event.evidenceKind.rawValue)]
        value["account"] = event.account.map(JSONValue.string)
        value["moment"] = event.moment.map { .string($0.rawValue) }
        switch event.content {
        case .transaction(let transaction): value["jws"] = sign(transaction.payload)
        case .renewal(let renewal): value["jws"] = sign(renewal.payload)
        case .appTransaction(let app): value["jws"] = sign(app.payload)
        case .receipt:
            value["receipt"] = event.account.map { .string(issueReceipt(of: $0, side)) }
        case .notification(let notification):
            value["type"] = .string(notification.outer.type)
            value["subtype"] = notification.outer.subtype.map(JSONValue.string)
        }
        return value
    }

    private func sell(_ fields: ControlFields) throws(ControlError) -> AppStoreResponse {
        var products: [String: PlayProduct] = [:]
        for member in fields.value.members ?? [] {
            products[member.key] = try PlayProduct(member.key, ControlFields(member.value))
        }
        for side in [production, sandbox] {
            side.store.products.merge(products) { _, new in new }
        }
        return AppStoreResponse(json: describeProducts())
    }

    private func stopSelling(_ word: String) throws(ControlError) -> AppStoreResponse {
        guard production.store.products[word] != nil else {
            throw ControlError(.notFound, "product", word)
        }
        for side in [production, sandbox] { side.store.products[word] = nil }
        return AppStoreResponse(json: describeProducts())
    }

    private func disturb(_ fields: ControlFields) throws(ControlError) -> AppStoreResponse {
        try fields.allow(["drop_percent", "repeat_percent", "late_ms"])
        var disturbed = NotificationChaos()
        disturbed.dropPercent = Int(try fields.integer("drop_percent", 0...100) ?? 0)
        disturbed.repeatPercent = Int(try fields.integer("repeat_percent", 0...100) ?? 0)
        disturbed.lateMilliseconds = try fields.integer("late_ms", 0...86_400_000) ?? 0
        chaos = disturbed
        return AppStoreResponse(json: describeChaos())
    }
}

extension PlayProduct {
    fileprivate init(_ word: String, _ fields: ControlFields) throws(ControlError) {
        try fields.allow(["id", "kind", "group", "period", "price"])
        let kindWord = try fields.required("kind")
        guard let kind = ProductKind(rawValue: kindWord) else {
            throw ControlError(.unknownWord, "kind", kindWord)
        }
        self.init(id: try fields.string("id") ?? word, kind: kind)
        group = try fields.string("group")
        if let text = try fields.string("period") {
            guard let period = Period(text), period.count > 0 else {
                throw ControlError(.unknownWord, "period", text)
            }
            self.period = period
        }
        if let text = try fields.string("price") {
            guard let price = Price(play: text) else {
                throw ControlError(.unknownWord, "price", text)
            }
            self.price = price
        }
        guard kind == .autoRenewable else { return }
        if group == nil { throw ControlError(.missing, "group") }
        if period == nil { throw ControlError(.missing, "period") }
    }
}

extension AppStoreRequest {
    /// Whether the box is to begin again.
    var isReset: Bool { method == "POST" && target == "/box/reset" }
}

extension SimulatedAppStoreSettings {
    /// The same with another seed or another start: `{"seed": "7", "start": "2026-01-01"}`.
    /// - Parameter root: what it signs under so far; kept unless the seed is another one.
    func reset(
        by fields: ControlFields, root: SimulatedCertificate
    ) throws(ControlError) -> SimulatedAppStoreSettings {
        try fields.allow(["seed", "start"])
        var settings = self
        settings.root = root
        if let text = try fields.string("seed") {
            guard let seed = UInt64(text) else { throw ControlError(.unknownWord, "seed", text) }
            if seed != settings.seed { settings.root = nil }
            settings.seed = seed
        }
        if let text = try fields.string("start") {
            guard let start = Instant(rfc3339: text), Self.isStart(start) else {
                throw ControlError(.unknownWord, "start", text)
            }
            settings.start = start
        }
        return settings
    }
}

/// Why a control call is rejected: nothing has changed then.
struct ControlError: Error {
    enum Code: String {
        case notJSON = "box.not-json"
        case unknownMember = "box.unknown-member"
        case missing = "box.missing"
        case badValue = "box.bad-value"
        case unknownWord = "box.unknown-word"
        case notFound = "box.not-found"
        /// A line of a play that is not understood, or that cannot happen.
        case line = "box.line"
    }

    let code: Code
    let sentence: String

    /// - Parameter value: the given value, if there was one.
    init(_ code: Code, _ name: String, _ value: String = "") {
        self.code = code
        sentence =
            switch code {
            case .notJSON: "the body must be an object of JSON"
            case .unknownMember: "unknown member '\(name)'"
            case .missing: "'\(name)' is missing"
            case .badValue: "'\(name)' cannot have this value"
            case .unknownWord: "'\(name)' cannot be '\(value.shown)'"
            case .notFound: "there is no \(name) '\(value.shown)'"
            case .line: name
            }
    }

    init(_ mistake: PlayMistake) {
        self.init(.line, mistake.reason.text(.english))
    }

    var response: AppStoreResponse {
        AppStoreResponse(
            status: code == .notFound ? 404 : 400,
            json: ["code": .string(code.rawValue), "message": .string(sentence)])
    }
}

/// The members of a control call, typed.
struct ControlFields {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    init(_ body: [UInt8]) throws(ControlError) {
        guard let value = try? parseJSON(body), value.members != nil else {
            throw ControlError(.notJSON, "")
        }
        self.value = value
    }

    func allow(_ names: [String]) throws(ControlError) {
        for member in value.members ?? [] where !names.contains(member.key) {
            throw ControlError(.unknownMember, member.key.shown)
        }
    }

    func string(_ name: String) throws(ControlError) -> String? {
        guard let field = value[name], !field.isNull else { return nil }
        guard let text = field.string else { throw ControlError(.badValue, name) }
        return text
    }

    func required(_ name: String) throws(ControlError) -> String {
        guard let text = try string(name) else { throw ControlError(.missing, name) }
        return text
    }

    func integer(
        _ name: String, _ range: ClosedRange<Int64>
    ) throws(ControlError) -> Int64? {
        guard let field = value[name], !field.isNull else { return nil }
        guard let number = field.int64, range.contains(number) else {
            throw ControlError(.badValue, name)
        }
        return number
    }

    func bool(_ name: String) throws(ControlError) -> Bool? {
        guard let field = value[name], !field.isNull else { return nil }
        guard let flag = field.bool else { throw ControlError(.badValue, name) }
        return flag
    }

    /// `production` unless said.
    func environment() throws(ControlError) -> StoreEnvironment {
        let word = try string("environment") ?? StoreEnvironment.production.rawValue
        guard let environment = StoreEnvironment(rawValue: word),
            environment == .production || environment == .sandbox
        else { throw ControlError(.unknownWord, "environment", word) }
        return environment
    }
}
