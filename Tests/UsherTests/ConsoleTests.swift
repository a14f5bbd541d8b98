internal import ArgumentParser
internal import EntitlementModel
internal import EntitlementServer
internal import PolicyTools
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("The console", .timeLimit(.minutes(20)))
struct ConsoleTests {
    /// Commands that change something and have no form: services call them.
    private static let withoutForm: [[String]] = [
        ["credits", "spend"], ["credits", "hold"], ["credits", "capture"], ["credits", "release"],
    ]

    private static func commands(
        of type: any ParsableCommand.Type, _ path: [String] = []
    ) -> [(path: [String], type: any ParsableCommand.Type)] {
        type.configuration.subcommands.flatMap {
            child -> [(path: [String], type: any ParsableCommand.Type)] in
            let path = path + [child._commandName]
            return [(path, child)] + commands(of: child, path)
        }
    }

    @Test("every command by which a person changes something has a form")
    func everyActionHasAForm() {
        for (path, type) in Self.commands(of: Usher.self) where type is any CallingCommand.Type {
            #expect(
                (ActionForm(verb: path) != nil) != Self.withoutForm.contains(path), "\(path)")
        }
    }

    @Test(
        "a form is the command that it was made of",
        arguments: [
            "usher claims approve 94", "usher claims undo 94 --decision 97",
            "usher claims give 400000000001001 alice --environment sandbox",
            "usher grant 'it'\\''s' premium --until 2027-01-01", "usher merge -- guest-81 --alice",
            "usher merge guest alice --up-to-now",
        ])
    func formOfALine(line: String) throws {
        let form = try #require(ActionForm(line: line + " --reason '…'"))
        #expect(form.line == line)
        let target = form.path.split(separator: "?")
        let query = try #require(FormValues(target[1]))
        let verb = target[0].split(separator: "/").dropFirst().map(String.init)
        #expect(ActionForm(verb: verb, query)?.line == line)
        _ = try form.command(because: "test", at: "run", in: .english)
    }

    @Test("words that the program quotes are read as they were")
    func words() {
        var random = SplitMix64(seed: 48)
        let characters = Array("ab'\" \\-$é高")
        for _ in 0..<500 {
            let words = (0..<3).map { _ in
                String(
                    (0..<Int.random(in: 0...6, using: &random)).map { _ in
                        characters.randomElement(using: &random) ?? "a"
                    })
            }
            let line = words.map(ShellCommand.quoted).joined(separator: " ")
            #expect(ShellCommand.words(of: line) == words, "\(line)")
        }
    }

    @Test("text is text, whatever it says; links lead where the program says")
    func markup() throws {
        var page = Page(browserIn: .english, withActions: true)
        let account = try #require(AccountID("<b>&\"'"))
        page.add(Phrase.labelled, page.name(account), "<script>\u{202E}")
        #expect(
            page.markup.text == """
                <p><a href="/accounts/%3Cb%3E%26%22%27">&lt;b&gt;&amp;&quot;&#39;</a>: \
                &lt;script&gt;U+202E</p>

                """)
    }

    private final class Clock: Sendable {
        let now = Mutex(Instant(rfc3339: "2026-03-01T00:00:00Z") ?? .distantPast)
        func pass(seconds: Int64) {
            now.withLock { $0 = $0.advanced(byMilliseconds: seconds * 1_000) }
        }
    }

    private static func access(_ clock: Clock, proxy: ConsoleAccess.Proxy? = nil) -> ConsoleAccess {
        let count = Mutex(0)
        let access = ConsoleAccess(
            proxy: proxy, now: { clock.now.withLock { $0 } },
            random: {
                count.withLock {
                    $0 += 1
                    return "secret-\($0)"
                }
            })
        access.open(as: ["127.0.0.1:8480"])
        return access
    }

    private static func request(
        _ method: String = "GET", _ fields: [(String, String)] = []
    ) throws -> ConsoleRequest {
        try #require(
            ConsoleRequest(
                method: method, target: "/", fields: [("Host", "127.0.0.1:8480")] + fields, body: []
            ))
    }

    @Test("a code is worth one session, for a minute; a session ends when nobody uses it")
    func sessions() throws {
        let clock = Clock()
        let access = Self.access(clock)
        let late = access.makeCode()
        clock.pass(seconds: 60)
        #expect(throws: ConsoleRefusal.code) { try access.enter(with: late) }
        let code = access.makeCode()
        clock.pass(seconds: 59)
        #expect(throws: ConsoleRefusal.code) { try access.enter(with: code + "0") }
        let cookie = try access.enter(with: code)
        #expect(throws: ConsoleRefusal.code) { try access.enter(with: code) }
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        let pair = String(cookie.prefix { $0 != ";" })
        let request = try Self.request("GET", [("Cookie", "a=b; \(pair)")])
        clock.pass(seconds: 8 * 3_600 - 1)
        let person = try access.person(of: request) { _ in true }
        try access.checkToken(person.formToken, of: person)
        #expect(throws: ConsoleRefusal.formToken) { try access.checkToken("x", of: person) }
        #expect(throws: ConsoleRefusal.formToken) { try access.checkToken(nil, of: person) }
        clock.pass(seconds: 8 * 3_600)
        #expect(throws: ConsoleRefusal.session) { try access.person(of: request) { _ in true } }
    }

    @Test(
        "pages of other origins ask for nothing",
        arguments: [
            ("GET", [], nil), ("GET", [("Sec-Fetch-Site", "none")], nil),
            ("GET", [("Sec-Fetch-Site", "same-origin")], nil), ("POST", [], nil),
            ("POST", [("Origin", "http://127.0.0.1:8480")], nil),
            ("POST", [("Sec-Fetch-Site", "same-origin"), ("Origin", "null")], nil),
            ("POST", [("Origin", "null")], .crossSite),
            ("POST", [("Origin", "http://127.0.0.1:8481")], .crossSite),
            ("POST", [("Sec-Fetch-Site", "cross-site")], .crossSite),
            ("POST", [("Sec-Fetch-Site", "same-site")], .crossSite),
            ("POST", [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "cross-site")], .crossSite),
            ("GET", [("Sec-Fetch-Site", "cross-site")], .crossSite),
            ("GET", [("Origin", "http://evil.example")], .crossSite), ("PUT", [], .method),
            ("GET", [("Host", "evil.example")], .host),
        ] as [(String, [(String, String)], ConsoleRefusal?)])
    func origins(method: String, fields: [(String, String)], refusal: ConsoleRefusal?) throws {
        let access = Self.access(Clock())
        let request = try Self.request(method, fields)
        if let refusal {
            #expect(throws: refusal) { try access.checkOrigin(of: request) }
        } else {
            #expect(try access.checkOrigin(of: request) == (method == "POST"))
        }
    }

    @Test("behind a proxy, people have the roles of the table, and nobody else has one")
    func proxy() throws {
        let access = Self.access(
            Clock(), proxy: ConsoleAccess.Proxy(nameField: "x-user", roles: ["mei": .query]))
        let mei = try access.person(of: Self.request("GET", [("X-User", "mei")])) { _ in true }
        #expect(!mei.mayAct)
        #expect(throws: ConsoleRefusal.stranger) {
            try access.person(of: Self.request("GET", [("X-User", "root")])) { _ in true }
        }
        #expect(throws: ConsoleRefusal.stranger) {
            try access.person(of: Self.request("GET", [("X-User", "mei"), ("X-User", "mei")])) {
                _ in true
            }
        }
    }
}
