internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

@Suite("Pushed changes", .timeLimit(.minutes(5)))
struct PushTests {
    @Test("are signed as the Standard Webhooks convention has it")
    func signature() throws {
        // The signature is what Python's hmac and base64 give for the same.
        let secret = try #require(
            PushSecret(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")))
        let signature = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxEek", second: 1_614_265_330,
            body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(signature == "v1,xm3N4+aKmqpsHqf2GrAK/g6ew7J0s6ILlNe44yY/l78=")
        #expect("\(secret)" == "(secret)")
        #expect("\(Mirror(reflecting: secret).children.count)" == "0")
    }

    @Test(
        "have a secret of 24 to 64 bytes, in its own form",
        arguments: [
            "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILA==",
            "whsec_not base64 at all not base64", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n\n",
            "whsec_" + String(repeating: "AAAA", count: 22),
        ])
    func secrets(_ text: String) {
        #expect(PushSecret(Secret(text)) == nil)
    }

    @Test(
        "go to this machine only",
        arguments: [
            ("http://127.0.0.1:8080/hook?a=b", "http://127.0.0.1:8080/hook?a=b"),
            ("http://[::1]:1", "http://[::1]:1"),
            ("/run/app/hook.sock", "/run/app/hook.sock|http://localhost/"),
            ("/run/a b.sock", nil),
            ("/run/app.sock:/changes", "/run/app.sock|http://localhost/changes"),
            ("/run/app.sock:changes", nil), ("/", nil), ("", nil), ("run/app.sock", nil),
            ("http://localhost:80/", nil), ("https://127.0.0.1:443/", nil),
            ("http://127.0.0.1/", nil), ("http://127.0.0.1:0/", nil),
            ("http://127.0.0.1:65536/", nil), ("http://127.0.0.1:80@example.com/", nil),
            ("http://127.0.0.1:80.example.com/", nil), ("http://127.0.0.2:80/", nil),
            ("http://user@127.0.0.1:80/", nil), ("http://10.0.0.1:80/", nil),
            ("http://127.0.0.1:80\\@example.com/", nil), ("http://0.0.0.0:80/", nil),
            ("http://[::ffff:10.0.0.1]:80/", nil), ("ftp://127.0.0.1:80/", nil),
            ("http://127.0.0.1:80/#x", nil),
        ] as [(String, String?)])
    func addresses(_ text: String, _ url: String?) {
        let address = ReceiverAddress(text)
        #expect(address.map { ($0.socket.map { $0 + "|" } ?? "") + $0.url } == url)
    }

    @Test("are tried again by what the attempt came to")
    func schedule() {
        var schedule = PushSchedule()
        func pause(_ outcome: PushOutcome, _ retryAfter: Int64? = nil) -> PushSchedule.Step {
            schedule.step(after: outcome, retryAfter: retryAfter, chance: 0.5)
        }
        #expect(pause(.unreachable) == .pause(1_000))
        #expect(pause(.busy) == .pause(2_000))
        #expect(pause(.busy, 30) == .pause(30_000))
        #expect(pause(.busy, .max) == .pause(3_600_000))
        #expect(pause(.busy, -5) == .pause(16_000))
        for _ in 0..<1_000 { #expect(pause(.unreachable) == .pause(15_000)) }
        #expect(pause(.gone) == .pause(3_600_000))
        // None of that was a fault of the change.
        #expect(schedule.attempts == 0)
        for _ in 1..<5 { #expect(pause(.rejected) == .pause(300_000)) }
        #expect(pause(.rejected) == .park)
        schedule = PushSchedule()
        for _ in 1..<12 {
            guard case .pause = pause(.failed) else {
                Issue.record("too early")
                return
            }
        }
        #expect(pause(.failed) == .park)
        schedule = PushSchedule()
        let shortest = schedule.step(after: .failed, retryAfter: nil, chance: 0)
        let longest = schedule.step(after: .failed, retryAfter: nil, chance: 1)
        #expect(shortest == .pause(800))
        #expect(longest == .pause(2_400))
    }

    @Test("arrive in order, each once where nothing fails, and go on after a stop")
    func order() async throws {
        let world = PushedWorld(changes: 200)
        await world.run(until: { world.received.count == 200 })
        #expect(world.received == Array(1...200))
        #expect(world.pusher?.standings.first?.delivered == 200)
        world.feed.add(5)
        await world.run(until: { world.received.count == 205 })
        #expect(world.received == Array(1...205))
        let sent = try #require(world.transport.requests.first)
        let fields = Dictionary(uniqueKeysWithValues: sent.fields.map { ($0.name, $0.value) })
        #expect(fields["webhook-id"] == "change_0123456789abcdef_1")
        #expect(
            fields["webhook-signature"]
                == PushedWorld.secret.signature(
                    id: "change_0123456789abcdef_1", second: 1_772_323_200, body: sent.body ?? []))
        #expect(world.events == [])
    }

    @Test("of a receiver that fails at random are each delivered, in order, whoever is killed")
    func chaos() async throws {
        var generator = SplitMix64(seed: 7)
        let world = PushedWorld(changes: 300)
        let failures = (0..<2_000).map { _ in Int.random(in: 0..<10, using: &generator) }
        world.transport.answer = { count, _ in
            switch failures[count % failures.count] {
            case 0: .failure(.unreachable)
            case 1: .failure(.brokenOff)
            case 2: .success(TransportResponse(status: 429, retryAfter: "1"))
            case 3: .success(TransportResponse(status: 302))
            default: .success(TransportResponse(status: 204))
            }
        }
        var stops = 0
        while Set(world.received).count < 300 {
            let goal = world.received.count + Int.random(in: 1...40, using: &generator)
            await world.run(until: {
                world.received.count >= goal || Set(world.received).count == 300
            })
            stops += 1
        }
        #expect(stops > 5)
        #expect(Set(world.received) == Set(1...300))
        // Sent again after a stop, it is what was sent before; nothing overtakes.
        var last: Int64 = 0
        for number in world.received {
            #expect(number <= last + 1)
            last = max(last, number)
        }
    }

    @Test("that a receiver never takes are put aside, the others go on, and can be sent again")
    func poison() async throws {
        let kept = LinesInMemory()
        let world = PushedWorld(changes: 10, store: kept)
        world.transport.answer = { _, number in
            .success(TransportResponse(status: number == 4 ? 400 : number == 6 ? 500 : 200))
        }
        await world.run(until: { world.received.contains(10) })
        #expect(Set(world.received) == Set(1...10).subtracting([4, 6]))
        let list = try #require(
            try await world.pusher?.undelivered(of: nil, skip: 0, limit: 10))
        #expect(list.changes.map(\.number) == [4, 6])
        #expect(list.changes.map(\.attempts) == [5, 12])
        #expect(list.changes.map(\.trouble) == [.rejected, .failed])
        #expect(list.changes.map(\.status) == [400, 500])
        #expect(list.subscriptions.first?.undelivered == 2)
        #expect(
            world.events == [
                .failing("app", .rejected, status: 400), .parked("app", number: 4),
                .recovered("app"), .failing("app", .failed, status: 500),
                .parked("app", number: 6), .recovered("app"),
            ])
        // It stays on the list while it fails, over a restart too.
        let pusher = try #require(world.pusher)
        #expect(try await pusher.sendAgain(5, of: "app") == nil)
        #expect(try await pusher.sendAgain(4, of: "other") == nil)
        #expect(try await pusher.sendAgain(4, of: "app") == 1)
        let attempts = world.transport.requests.count
        // One that is cut off is not counted.
        await world.run(until: { kept.has("\"attempts\":6") })
        #expect(world.transport.requests.count == attempts + 1)
        let first = try await world.pusher?.undelivered(of: "app", skip: 0, limit: 1)
        #expect(first?.changes.first?.attempts == 6)
        world.transport.answer = { _, _ in .success(TransportResponse(status: 200)) }
        #expect(try await world.pusher?.sendAgain(nil, of: "app") == 2)
        await world.run(until: { world.received.suffix(2) == [4, 6] })
        let left = try await world.pusher?.undelivered(of: nil, skip: 0, limit: 10)
        #expect(left?.changes == [])
    }

    @Test("that were put aside are struck off, over a restart too, and not sent any more")
    func discard() async throws {
        let world = PushedWorld(changes: 10)
        world.transport.answer = { _, number in
            .success(TransportResponse(status: [3, 4, 6].contains(number) ? 400 : 200))
        }
        await world.run(until: { world.received.contains(10) })
        let pusher = try #require(world.pusher)
        #expect(try await pusher.discard(5, of: "app", cause("uid:0", "a")) == nil)
        #expect(try await pusher.discard(nil, of: "other", cause("uid:0", "a")) == nil)
        let one = try #require(
            try await pusher.discard(4, of: "app", cause("uid:0", "settled by hand")))
        #expect([one.number, one.changes] == [4, 1])
        #expect(try await pusher.discard(4, of: "app", cause("uid:0", "again")) == nil)
        #expect(try await pusher.sendAgain(4, of: "app") == nil)
        // One that is struck off while it is sent again does not come back.
        #expect(try await pusher.sendAgain(3, of: "app") == 1)
        world.transport.answer = { _, _ in .success(TransportResponse(status: 500)) }
        // Or it would be put aside too, since time passes at once.
        world.transport.answers(upTo: 10)
        world.transport.meanwhile = { number in
            guard number == 3 else { return }
            _ = try? await world.pusher?.discard(3, of: "app", cause("uid:1", "meanwhile"))
        }
        world.feed.add(1)
        await world.run(until: { world.transport.asked.last == 11 })
        let list = try #require(
            try await world.pusher?.undelivered(of: nil, skip: 0, limit: 10))
        #expect(list.changes.map(\.number) == [6])
        #expect(list.discarded.map(\.number) == [4, 3])
        #expect(list.discarded.map(\.actor) == ["uid:0", "uid:1"])
        #expect(list.discarded.map(\.reason) == ["settled by hand", "meanwhile"])
        let all = try await world.pusher?.discard(
            nil, of: "app", cause("uid:0", "all"))
        #expect(all?.changes == 1)
        #expect(try await world.pusher?.discard(nil, of: "app", cause("uid:0", "all")) == nil)
    }

    /// In this feed, each change came of the entry with its number.
    @Test("that were put aside are named before they are sent again or struck off")
    func previews() async throws {
        let kept = LinesInMemory()
        let world = PushedWorld(changes: 10, store: kept)
        world.transport.answer = { _, number in
            .success(TransportResponse(status: [3, 4, 6].contains(number) ? 400 : 200))
        }
        await world.run(until: { world.received.contains(10) })
        let pusher = try #require(world.pusher)
        let lines = kept.lines()
        func delivery(
            _ act: (ActionIntent) async throws -> Void
        ) async throws -> EffectDelivery? {
            let rehearsal = Rehearsal()
            try await act(.preview(rehearsal))
            #expect(kept.lines() == lines)
            return rehearsal.effect?.value.delivery
        }
        let again = try await delivery { intent in
            let count = try await pusher.sendAgain(nil, of: "app", meant: intent)
            #expect(count == 3)
        }
        #expect(again?.changes.map(\.cursor.number) == [3, 4, 6])
        #expect(again?.isSentAgain == true && again?.count == 3)
        #expect(again?.receiver == "/run/app.sock:/changes")
        let struckOff = try await delivery { intent in
            let done = try await pusher.discard(4, of: "app", cause("a", "b", intent))
            #expect(done?.changes == 1)
        }
        #expect(struckOff?.changes.map(\.cursor.number) == [4])
        #expect(struckOff?.isSentAgain == false)
        let unknown = try await delivery { intent in
            let sent = try await pusher.sendAgain(5, of: "app", meant: intent)
            let done = try await pusher.discard(nil, of: "x", cause("a", "b", intent))
            #expect(sent == nil && done == nil)
        }
        #expect(unknown == nil)
        func isChanged(
            by entries: [Int64], _ act: () async throws -> Void
        ) async throws {
            await #expect {
                try await act()
            } throws: { error in
                guard case .changedSince(let changed)? = error as? EngineError else { return false }
                return changed.map(\.entry.number) == entries
            }
        }
        try await isChanged(by: [4, 6]) {
            _ = try await pusher.sendAgain(
                nil, of: "app", meant: .actUnlessChanged(since: LedgerSequence(3)))
        }
        try await isChanged(by: [6]) {
            let intent = ActionIntent.actUnlessChanged(since: LedgerSequence(5))
            _ = try await pusher.discard(nil, of: "app", cause("a", "b", intent))
        }
        #expect(kept.lines() == lines)
        let intent = ActionIntent.actUnlessChanged(since: LedgerSequence(6))
        #expect(try await pusher.sendAgain(4, of: "app", meant: intent) == 1)
        // What is sent again anyway would not be because of it.
        let rest = Rehearsal()
        #expect(try await pusher.sendAgain(nil, of: "app", meant: .preview(rest)) == 3)
        #expect(rest.effect?.value.delivery?.changes.map(\.cursor.number) == [3, 6])
        #expect(try await pusher.discard(nil, of: "app", cause("a", "b", intent))?.changes == 3)
    }

    @Test("wait for a receiver that is not there, and say so once")
    func outage() async throws {
        let world = PushedWorld(changes: 3)
        world.transport.answer = { count, _ in
            count < 500 ? .failure(.unreachable) : .success(TransportResponse(status: 200))
        }
        await world.run(until: { world.received.count == 3 })
        #expect(world.received == [1, 2, 3])
        #expect(
            world.events == [.failing("app", .unreachable, status: nil), .recovered("app")])
        let left = try await world.pusher?.undelivered(of: nil, skip: 0, limit: 10)
        #expect(left?.changes == [])
        // Two hours, at a quarter of a minute each.
        let waited = world.context.now().milliseconds(since: PushedWorld.start)
        #expect((6_000_000...9_000_000).contains(waited))
    }

    @Test("are those that the subscription wants")
    func filters() async throws {
        var filter = PushFilter()
        filter.accountPrefix = "user-1"
        filter.kinds = [.rightGained, .rightLost]
        filter.entitlements = ["pro"]
        let world = PushedWorld(changes: 40, filter: filter)
        world.feed.add(1) { _ in
            FeedChange(
                kind: .policyActivated, at: PushedWorld.start, revision: LedgerSequence(1),
                subject: "x")
        }
        await world.run(until: { world.pusher?.standings.first?.cursor?.number == 41 })
        // Accounts are numbered round from 0 to 19, every third change is a gain of 'pro'.
        let wanted = (1...40).filter { $0 % 3 == 0 && "user-\($0 % 20)".hasPrefix("user-1") }
        #expect(world.received == wanted.map(Int64.init))
    }

    @Test("go on with the next change where the ledger is another one")
    func otherLedger() async throws {
        let world = PushedWorld(changes: 10)
        await world.run(until: { world.received.count == 10 })
        world.feed.replace(ledger: "fedcba9876543210", count: 4)
        await world.run(until: { world.events.contains(.restarted("app")) })
        world.feed.add(1)
        await world.run(until: { world.received.count == 11 })
        #expect(world.received.last == 5)
    }

    @Test("begin with the next one unless the first is asked for")
    func beginning() async throws {
        let world = PushedWorld(changes: 10, beginsAtFirst: false)
        await world.run(until: { world.pusher?.standings.first?.cursor?.number == 10 })
        #expect(world.received == [])
        world.feed.add(1)
        await world.run(until: { world.received.count == 1 })
        #expect(world.received == [11])
    }

    @Test("keep a journal that is short, and end at what is damaged in it")
    func journal() async throws {
        let store = LinesInMemory()
        let journal = try DeliveryJournal(store)
        for number in 1...25_000 {
            try await journal.setCursor(FeedCursor(ledger: nil, number: Int64(number)), of: "app")
        }
        #expect(store.count < 20_100)
        #expect(try DeliveryJournal(store).contents == journal.contents)
        func put(_ number: Int64) async throws {
            try await journal.write(
                DeliveryLine(
                    subscription: "app", cursor: FeedCursor(ledger: nil, number: number),
                    undelivered: UndeliveredChange(
                        subscription: "app", number: number, since: PushedWorld.start,
                        attempts: 5, trouble: .rejected, status: 400)))
        }
        for number in Int64(1)...120 {
            try await put(number)
            try await journal.write(
                DeliveryLine(
                    subscription: "app",
                    discarded: DiscardedChanges(
                        subscription: "app", number: number % 2 == 0 ? number : nil,
                        changes: 1, at: PushedWorld.start, actor: "uid:0",
                        reason: "\(number)")))
        }
        try await put(121)
        // As it is written anew, what was struck off takes nothing along that came later.
        for number in 1...25_000 {
            try await journal.setCursor(FeedCursor(ledger: nil, number: Int64(number)), of: "app")
        }
        #expect(store.count < 20_300)
        #expect(try DeliveryJournal(store).contents == journal.contents)
        #expect(journal["app"].undelivered.keys.sorted() == [121])
        #expect(journal["app"].discarded.map(\.reason) == (21...120).map { "\($0)" })
        store.append(damaged: "{")
        #expect(try DeliveryJournal(store).contents == journal.contents)
    }
}

extension DeliveryJournal {
    fileprivate func write(_ line: DeliveryLine) async throws {
        try await write(inReading: try await prepare()) { _ in (line, ()) }
    }

    fileprivate func setCursor(_ cursor: FeedCursor, of name: String) async throws {
        try await write(DeliveryLine(subscription: name, cursor: cursor))
    }
}
