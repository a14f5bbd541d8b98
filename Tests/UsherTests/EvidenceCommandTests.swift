internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("What waits for Apple, on the terminal", .timeLimit(.minutes(20)))
struct EvidenceCommandTests {
    private static let since = Instant(milliseconds: 1_780_000_000_000)

    private static func ticket(_ closing: TicketClosing? = nil) -> TicketAnswer {
        var ticket = EvidenceTicket(
            .transaction, environment: .sandbox, transaction: TransactionID(unchecked: "2000"))
        ticket.account = AccountID(unchecked: "alice")
        let recorded = Recorded(
            sequence: LedgerSequence(42), recordedAt: since, value: ticket)
        let closed = closing.map {
            Recorded(
                sequence: LedgerSequence(50),
                recordedAt: since.advanced(byMilliseconds: 7_200_000), value: $0)
        }
        return TicketAnswer(
            TicketHistory(ticket: recorded, closing: closed), revision: LedgerSequence(60))
    }

    private static func page(
        _ language: Language = .english, _ write: (inout Page) -> Void
    ) -> String {
        var page = Page(language: language, paint: Paint(isOn: false), drawsBranches: false)
        write(&page)
        return page.text
    }

    @Test("a ticket that waits says since when, how often, when next, and why")
    func waiting() {
        var ticket = Self.ticket()
        ticket.attempts = 3
        ticket.nextAttempt = Self.since.advanced(byMilliseconds: 7_300_000)
        ticket.failure = TicketFailure(.network)
        let now = Self.since.advanced(byMilliseconds: 7_260_000)
        #expect(
            Self.page { $0.write(ticket: ticket, at: now) } == """
                ticket 42: waiting for Apple
                  a transaction id, account alice, transaction 2000, sandbox
                  for 2 h 1 min, since 2026-05-28T20:26:40Z
                  3 attempts by this service, next at 2026-05-28T22:28:20Z
                  last attempt: Apple's service cannot be reached [app-store.network]

                """)
        #expect(
            Self.page(.chinese) { $0.write(ticket: ticket, at: now) }.hasPrefix(
                "核实单 42：等待 Apple\n  交易 ID"))
    }

    @Test(
        "a closed ticket says what came of it",
        arguments: [
            (
                TicketClosing.Outcome.refused, "app-store.not-found", "refused",
                "Apple does not know the id"
            ),
            (.refused, "bind.bundle", "refused", "the evidence belongs to another app"),
            (.givenUp, "app-store.network", "given up", "Apple's service cannot be reached"),
        ])
    func closed(
        _ outcome: TicketClosing.Outcome, _ code: String, _ state: String, _ sentence: String
    ) {
        let ticket = Self.ticket(
            TicketClosing(ticket: LedgerSequence(42), outcome: outcome, code: code))
        #expect(
            Self.page { $0.write(ticket: ticket, at: Self.since) } == """
                ticket 42: \(state)
                  a transaction id, account alice, transaction 2000, sandbox
                  closed 2026-05-28T22:26:40Z
                  \(sentence) [\(code)]

                """)
    }

    @Test("the list says where nobody asks, and how it goes on")
    func list() {
        var list = TicketList(
            at: Self.since, asks: false, tickets: [], next: nil, revision: LedgerSequence(60))
        #expect(Self.page { $0.write(tickets: list) } == "nothing waits for Apple\n")
        var ticket = Self.ticket()
        ticket.failure = TicketFailure(.notConfigured)
        list.tickets = [ticket]
        list.next = LedgerSequence(42)
        let text = Self.page { $0.write(tickets: list) }
        #expect(text.hasPrefix("no App Store client is configured\nticket 42: waiting for Apple\n"))
        #expect(text.contains("usher evidence waiting --after 42"))
        // Who reads the file cannot know what the service has asked.
        let file = Self.page { $0.write(tickets: list, isFile: true) }
        #expect(file.hasPrefix("read from the file: only the service knows when it asks Apple\n"))
        #expect(!file.contains("attempt"))
    }

    @Test("of a ledger in which nothing waits they say so, from the file too")
    func commands() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        for line in [["--sockets", service.sockets], ["--ledger", shop.folder.path + "/ledger"]] {
            let waiting = try Program.run(["evidence", "waiting", "--lang", "en"] + line)
            #expect(waiting.status == 0, "\(waiting.errors)")
            #expect(waiting.output == "nothing waits for Apple\n")
            let none = try Program.run(["evidence", "show", "7", "--lang", "en"] + line)
            #expect(none.status == 1, "\(none.errors)")
            let json = try Program.run(["evidence", "waiting", "--json"] + line)
            let told = try parseJSON(Array(json.output.utf8))
            #expect(told["asks"] == false)
            #expect(told["tickets"] == [])
        }
        #expect(service.stop() == 0)
    }
}
