internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel
internal import EntitlementServer
internal import PolicyTools
internal import Synchronization

/// The pages of the console: who asks is checked first, then the path is looked up.
struct ConsoleSite: Sendable {
    let access: ConsoleAccess
    /// The folder of the service's sockets.
    let sockets: String
    /// Where policies are that can be scheduled; nil for wherever the user of this process says.
    let policies: String?
    /// Whether a proxy says who asks.
    let isTeam: Bool
    let random: @Sendable () -> String
    let now: @Sendable () -> Instant
    let policyMemory = PolicyMemory()

    /// May block. Never fails: what goes wrong is a page too.
    func answer(_ request: ConsoleRequest) -> ConsoleResponse {
        do throws(ConsoleRefusal) {
            let isUnsafe = try access.checkOrigin(of: request)
            if request.path == ["enter"] { return try enter(request) }
            let person = try access.person(of: request) { caller in
                mayAct(for: caller)
            }
            let call = ConsoleCall(site: self, request: request, person: person)
            guard isUnsafe else { return answer(call) }
            guard let form = request.form else { throw .formToken }
            try access.checkToken(form["token"], of: person)
            return answer(call, form)
        } catch {
            return refusal(error, request.language)
        }
    }

    /// Whether the service lets them act: asked by a call that does nothing whoever makes it.
    private func mayAct(for caller: CallerFields) -> Bool? {
        CallerFields.$current.withValue(caller) {
            let service = ServiceCall(socket: sockets + "/usher.sock")
            do throws(CommandFailure) {
                _ = try service.delete(
                    "/v1/grants/-?dry_run=true", ReasonRequest(reason: Reason(unchecked: "-")))
            } catch {
                return error.isOfService ? nil : error.code != ProblemCode.role.rawValue
            }
            return true
        }
    }

    /// What needs nobody to be asked.
    func standing(_ request: ConsoleRequest) -> ConsoleResponse? {
        do throws(ConsoleRefusal) {
            _ = try access.checkOrigin(of: request)
        } catch {
            return refusal(error, request.language)
        }
        switch request.path {
        case ["console.css"]:
            return ConsoleResponse(
                mediaType: "text/css; charset=utf-8", body: Array(ConsoleStyle.rules.utf8))
        case ["console.js"]:
            return ConsoleResponse(
                mediaType: "text/javascript; charset=utf-8", body: Array(ConsoleScript.text.utf8))
        case ["icon.svg"]:
            return ConsoleResponse(
                mediaType: "image/svg+xml", body: Array(ConsoleStyle.icon.utf8))
        default: return nil
        }
    }

    private func enter(_ request: ConsoleRequest) throws(ConsoleRefusal) -> ConsoleResponse {
        guard request.method == "POST" else { return entrance(request) }
        guard let code = request.form?["code"] else { throw .code }
        let cookie = try access.enter(with: code)
        var answer = ConsoleResponse.redirect(to: "/")
        answer.fields.append(("set-cookie", cookie))
        return answer
    }

    /// The code is posted from the page that the printed link leads to, and stands in no second
    /// address.
    private func entrance(_ request: ConsoleRequest) -> ConsoleResponse {
        let language = request.language
        let frame = ConsoleFrame(language: language, title: ConsolePhrase.enter.text(language))
        return frame.bare(
            """
            <p>\(ConsolePhrase.enterText.text(language))</p>
            <form method="post" action="/enter" data-submit>
            <input type="hidden" name="code" value="\(request.query["code"] ?? "")">
            <button class="doing">\(ConsolePhrase.enter.text(language))</button>
            </form>

            """)
    }

    private func refusal(_ refusal: ConsoleRefusal, _ language: Language) -> ConsoleResponse {
        let (status, phrase): (Int, ConsolePhrase) =
            switch refusal {
            case .host: (421, .wrongHost)
            case .crossSite: (403, .crossSite)
            case .method: (405, .wrongMethod)
            case .session: (401, .noSession)
            case .formToken: (403, .wrongToken)
            case .stranger: (403, .stranger)
            case .code: (403, .wrongCode)
            }
        let frame = ConsoleFrame(language: language, title: ConsolePhrase.refused.text(language))
        var answer = frame.bare(
            "<p role=\"alert\">\(phrase.text(language))</p>\n", status: status)
        if status == 405 { answer.fields.append(("allow", "GET, HEAD, POST")) }
        return answer
    }

    /// Whom a proxy names begins another session by the next page.
    private func left(_ call: ConsoleCall) -> ConsoleResponse {
        let next: Markup =
            isTeam ? "<a href=\"/\">\(call.text(.home))</a>" : "\(call.text(.leftText))"
        return ConsoleFrame(language: call.language, title: call.text(.left))
            .bare("<p role=\"status\">\(next)</p>\n")
    }

    private func answer(_ call: ConsoleCall) -> ConsoleResponse {
        call.asked { () throws(CommandFailure) in try call.answer() }
    }

    private func answer(_ call: ConsoleCall, _ form: FormValues) -> ConsoleResponse {
        call.asked { () throws(CommandFailure) in
            switch call.request.path.first {
            case "do": return try call.act(Array(call.request.path.dropFirst()), form)
            case "evidence": return try call.handIn(form)
            case "language":
                access.remember(
                    form["language"] == Language.chinese.tag ? .chinese : .english, for: call.person
                )
                return .redirect(to: "/")
            case "leave":
                access.leave(call.person)
                return left(call)
            default: throw .noSuchPage
            }
        }
    }
}

/// One request of a person who may ask.
struct ConsoleCall {
    let site: ConsoleSite
    let request: ConsoleRequest
    let person: ConsolePerson

    var language: Language { person.language ?? request.language }
    /// A page in this person's language, with the links that lead to what they may do.
    var newPage: Page {
        var page = Page(browserIn: language, withActions: person.mayAct)
        page.titles = { titles.all { try? policyInForce() } }
        return page
    }
    private let titles = ProductTitles()

    /// What an answer was given by is in force: if that was read before, it is not read again.
    func expect(_ policy: Digest256) {
        titles.known = titles.known ?? site.policyMemory[policy].map(ProductTitles.titles)
    }
    var service: ServiceCall { ServiceCall(socket: site.sockets + "/usher.sock") }

    func text(_ phrase: ConsolePhrase, _ values: String...) -> String {
        phrase.filled(with: values, in: language)
    }

    /// What every form has.
    var token: Markup { "<input type=\"hidden\" name=\"token\" value=\"\(person.formToken)\">" }

    /// Everything below is asked for this person; what goes wrong is said on a page.
    func asked(
        _ body: () throws(CommandFailure) -> ConsoleResponse
    ) -> ConsoleResponse {
        CallerFields.$current.withValue(person.caller) {
            ServiceCall.$isOnlySource.withValue(true) {
                ServiceCall.$secondsToWait.withValue(Self.secondsToWait) { said(body) }
            }
        }
    }

    /// For an answer of the service; a person waits no longer.
    private static let secondsToWait = 10
    /// For one that is given when all accounts are counted.
    static let secondsToCount = 600

    private func said(
        _ body: () throws(CommandFailure) -> ConsoleResponse
    ) -> ConsoleResponse {
        do throws(CommandFailure) {
            return try body()
        } catch {
            return frame(text(.failed), alert(error), status: error.status)
        }
    }

    func frame(
        _ title: String, _ body: Markup, status: Int = 200, style: String? = nil
    ) -> ConsoleResponse {
        ConsoleFrame(language: language, title: title, call: self, style: style)
            .page(body, status: status)
    }

    /// What a command that reads prints, as a page; or as the service has answered.
    ///
    /// - Parameter account: whose page it belongs to.
    func told(
        _ words: [String], _ title: String, of account: String? = nil
    ) throws(CommandFailure) -> ConsoleResponse {
        let told = try tell(words)
        if wantsJSON { return json(told.json) }
        let back: Markup =
            account.flatMap { AccountID($0) }.map { account in
                "<p><a href=\"\(ConsolePlace.account(account).path)\">\(account.text)</a></p>\n"
            } ?? ""
        return frame(title, back + told.page.markup)
    }

    func tell(_ words: [String]) throws(CommandFailure) -> Told {
        let options =
            ["--sockets=" + site.sockets, "--lang=" + language.rawValue]
            + ["at", "known_at", "revision"].compactMap { name in
                request.query[name].map {
                    "--\(String(name.map { $0 == "_" ? "-" : $0 }))=\($0)"
                }
            }
        // Behind the options, names may look like any.
        let verb = words.prefix { $0 != "--" }
        let line = verb + options + ["--"] + words.dropFirst(verb.count + 1)
        do {
            guard let named = try NamedCommand(in: Array(line), of: Usher.self),
                let command = try named.type.parseAsRoot(Array(named.arguments))
                    as? any ReportCommand
            else { throw CommandFailure.unreadableAnswer }
            return try command.told(on: newPage)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .said(RejectedLine(Array(line)).sentence(about: error, in: language))
        }
    }

    /// The address of an element with `.json` behind it is the service's own answer.
    var wantsJSON: Bool { request.path.last?.hasSuffix(".json") == true }

    /// The path without that end.
    var path: [String] {
        guard wantsJSON, let last = request.path.last else { return request.path }
        return request.path.dropLast() + [String(last.dropLast(5))]
    }

    func json(_ bytes: [UInt8]) -> ConsoleResponse {
        ConsoleResponse(mediaType: "application/json", body: bytes)
    }
}

/// The titles of products, for one request: read when the first is named.
private final class ProductTitles {
    var known: [ProductID: Title]?

    func all(_ policy: () -> Policy?) -> [ProductID: Title] {
        if let known { return known }
        let titles = policy().map(Self.titles) ?? [:]
        known = titles
        return titles
    }

    static func titles(_ policy: Policy) -> [ProductID: Title] {
        policy.products.compactMapValues(\.title)
    }
}

/// The policy that was in force last, so that it is read once.
final class PolicyMemory: Sendable {
    private let known = Mutex<(digest: Digest256, policy: Policy)?>(nil)

    subscript(digest: Digest256) -> Policy? {
        known.withLock { $0?.digest == digest ? $0?.policy : nil }
    }

    func policy(_ digest: Digest256, _ read: () -> Policy?) -> Policy? {
        if let known = self[digest] { return known }
        let policy = read()
        known.withLock { $0 = policy.map { (digest, $0) } }
        return policy
    }
}

/// What a command has to say.
struct Told {
    let page: Page
    let json: [UInt8]
}

extension ReportCommand {
    func told(on page: Page) throws(CommandFailure) -> Told {
        let answer = try answer()
        var page = page
        write(answer.value, to: &page)
        return Told(page: page, json: answer.json)
    }
}

extension CommandFailure {
    /// Whether what was asked for may be right, and the service cannot tell now.
    var isOfService: Bool { status == 429 || status >= 500 }

    /// Of a page that says so.
    var status: Int {
        switch self {
        case .noService, .noServiceNorLedger, .connection: 502
        case .serviceRejected(let call):
            ProblemCode(rawValue: call.code)?.status.rawValue ?? 400
        case .unknownAccount, .noSuchAccount, .nothingFound, .noSuchPage: 404
        case .unreadableAnswer, .engine, .sockets, .unreadableFile, .unwritableFile, .stopped,
            .unreadablePolicyFolder, .policyErrors, .several, .badSetting, .settings, .appStore,
            .said:
            400
        }
    }
}
