internal import EntitlementModel
internal import EntitlementServer
internal import Synchronization

/// Who asks, and what the service lets them do.
struct ConsolePerson: Sendable {
    /// The fields that a proxy's person is named by; none for the user of the process.
    var caller: CallerFields = .none
    /// Whether they have the role `admin`.
    var mayAct: Bool
    /// What every form of theirs has.
    let formToken: String
    var language: Language?
}

/// Why a request is not answered.
enum ConsoleRefusal: Error {
    /// 421: it was sent to another host, whose name may lead anywhere.
    case host
    /// 403: another site asks, or makes a browser ask.
    case crossSite
    /// 405
    case method
    /// 401: there is no session, or it is over.
    case session
    /// 403: a form that this console has not written.
    case formToken
    /// 403: the proxy names nobody, or somebody without a role.
    case stranger
    /// 403: the code was used, is too old, or never was.
    case code
}

/// Who may ask: a browser with a session that the printed link has begun, or whom the proxy names.
final class ConsoleAccess: Sendable {
    /// How long the printed code can be exchanged for a session.
    static let codeSeconds: Int64 = 60
    /// A session ends after so long without a request.
    static let idleSeconds: Int64 = 8 * 3_600

    /// A proxy that names people, and what they may do.
    struct Proxy: Sendable {
        /// In lower case.
        let nameField: String
        let roles: [String: PeerRole]
    }

    fileprivate struct Session {
        var token: String
        var usedAt: Instant
        var language: Language?
        /// Nil until the service was asked.
        var mayAct: Bool?
    }

    private struct State {
        /// The hosts that it is asked as.
        var hosts: Set<String> = []
        var code: (text: String, until: Instant)?
        /// By the value of the cookie; behind a proxy by name.
        var sessions: [String: Session] = [:]
    }

    private let proxy: Proxy?
    private let now: @Sendable () -> Instant
    private let random: @Sendable () -> String
    private let cookieName: String
    private let state = Mutex(State())

    /// - Parameter random: a secret that nobody can guess, of characters that a cookie can have.
    init(
        proxy: Proxy?, now: @escaping @Sendable () -> Instant,
        random: @escaping @Sendable () -> String
    ) {
        self.proxy = proxy
        self.now = now
        self.random = random
        // Cookies know no ports: each instance has its own.
        cookieName = "usher-" + random().prefix(12)
    }

    /// Answers what is asked of these hosts from now on; before, nothing.
    func open(as hosts: [String]) {
        state.withLock { $0.hosts = Set(hosts) }
    }

    /// A new code; the one before is worth nothing then.
    func makeCode() -> String {
        let code = random()
        state.withLock {
            $0.code = (code, now().advanced(byMilliseconds: Self.codeSeconds * 1_000))
        }
        return code
    }

    /// Whether the request comes from where the console's own pages are.
    ///
    /// - Returns: whether it changes something.
    func checkOrigin(of request: ConsoleRequest) throws(ConsoleRefusal) -> Bool {
        guard let host = request.value("host")?.lowercased(),
            state.withLock({ $0.hosts.contains(host) })
        else { throw .host }
        let isUnsafe = request.method == "POST"
        guard isUnsafe || request.method == "GET" || request.method == "HEAD" else {
            throw .method
        }
        let sites = request.values("sec-fetch-site")
        guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { throw .crossSite }
        let origins = request.values("origin")
        if sites.isEmpty || !isUnsafe, !origins.isEmpty {
            let own = ["http://" + host, "https://" + host]
            guard origins.count == 1, own.contains(origins[0].lowercased()) else {
                throw .crossSite
            }
        }
        return isUnsafe
    }

    /// - Parameter mayAct: asks the service, until it answers once a session; nil where it does not.
    /// - Throws: `.session` or `.stranger`.
    func person(
        of request: ConsoleRequest, mayAct: (CallerFields) -> Bool?
    ) throws(ConsoleRefusal) -> ConsolePerson {
        guard let proxy else { return try browser(request, mayAct) }
        guard let name = request.value(proxy.nameField), let role = proxy.roles[name] else {
            throw .stranger
        }
        let now = now()
        let session = state.withLock { state in
            // There are no more of them than names with a role.
            state.sessions[name, default: Session(token: random(), usedAt: now)]
                .used(at: now)
        }
        return ConsolePerson(
            caller: .delegated(for: name, as: role), mayAct: role == .admin,
            formToken: session.token, language: session.language)
    }

    private func browser(
        _ request: ConsoleRequest, _ mayAct: (CallerFields) -> Bool?
    ) throws(ConsoleRefusal) -> ConsolePerson {
        guard let cookie = request.cookie(cookieName) else { throw .session }
        let now = now()
        let session = state.withLock { state -> Session? in
            guard let session = state.sessions[cookie] else { return nil }
            let end = session.usedAt.advanced(byMilliseconds: Self.idleSeconds * 1_000)
            guard now < end else {
                state.sessions[cookie] = nil
                return nil
            }
            return state.sessions[cookie]?.used(at: now)
        }
        guard let session else { throw .session }
        let allowed = session.mayAct ?? mayAct(.none)
        state.withLock { $0.sessions[cookie]?.mayAct = allowed }
        // Of a silent service a form says that it does not answer.
        return ConsolePerson(
            mayAct: allowed ?? true, formToken: session.token, language: session.language)
    }

    /// Exchanges the code for a session: once.
    ///
    /// - Returns: the cookie that begins it.
    func enter(with code: String) throws(ConsoleRefusal) -> String {
        let now = now()
        let cookie = random()
        let isRight = state.withLock { state -> Bool in
            guard proxy == nil, let expected = state.code, now < expected.until,
                code.isEqualInConstantTime(to: expected.text)
            else { return false }
            state.code = nil
            state.sessions[cookie] = Session(token: random(), usedAt: now)
            return true
        }
        guard isRight else { throw .code }
        return "\(cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Strict"
    }

    /// - Throws: `.formToken` for a form that was not written for this person.
    func checkToken(_ token: String?, of person: ConsolePerson) throws(ConsoleRefusal) {
        guard let token, token.isEqualInConstantTime(to: person.formToken) else {
            throw .formToken
        }
    }

    /// The person reads this language from now on.
    func remember(_ language: Language, for person: ConsolePerson) {
        state.withLock { state in
            for (key, session) in state.sessions where session.token == person.formToken {
                state.sessions[key]?.language = language
            }
        }
    }

    /// Ends the session.
    func leave(_ person: ConsolePerson) {
        state.withLock { state in
            state.sessions = state.sessions.filter { $0.value.token != person.formToken }
        }
    }
}

extension ConsoleAccess.Session {
    fileprivate mutating func used(at instant: Instant) -> Self {
        usedAt = instant
        return self
    }
}

extension String {
    /// How long it takes says nothing of where they differ.
    fileprivate func isEqualInConstantTime(to other: String) -> Bool {
        let (left, right) = (Array(utf8), Array(other.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
