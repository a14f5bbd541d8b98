internal import NIOCore
internal import NIOEmbedded
internal import Synchronization
internal import Testing

@testable internal import EntitlementServer

@Suite("Names of callers", .timeLimit(.minutes(5)))
struct CallerNamesTests {
    /// A machine whose answers change.
    private final class Machine: Sendable {
        struct Silent: Error {}

        let answer: Mutex<Result<String?, Silent>>
        let asked = Mutex(0)

        init(_ answer: Result<String?, Silent>) { self.answer = Mutex(answer) }

        func names(given: [UInt32: String] = [:]) -> CallerNames {
            CallerNames(given: given) { [self] _ in
                asked.withLock { $0 += 1 }
                return try answer.withLock(\.self).get()
            }
        }
    }

    @Test("are the machine's, where the settings give none")
    func sources() throws {
        let machine = Machine(.success("shop"))
        let names = machine.names(given: [7: "support"])
        let loop = EmbeddedEventLoop()
        #expect(names.ask(for: 8) == .name("shop"))
        #expect(try names.name(of: 7, on: loop).wait() == .name("support"))
        #expect(try names.name(of: 8, on: loop).wait() == .name("shop"))
        // Asked once: it says the same for a while.
        #expect(machine.asked.withLock(\.self) == 1)
    }

    @Test("are none where a line or an id could not hold them", arguments: ["", "a b", "a\n", "é"])
    func unfit(name: String) {
        #expect(Machine(.success(name)).names().ask(for: 8) == .nameless)
        #expect(Machine(.success(nil)).names().ask(for: 8) == .nameless)
    }

    @Test("are not guessed where the machine cannot say")
    func silence() {
        let machine = Machine(.failure(.init()))
        let names = machine.names()
        #expect(names.ask(for: 8) == .unknown)
        machine.answer.withLock { $0 = .success("shop") }
        #expect(names.ask(for: 8) == .name("shop"))
        // What it said before holds on.
        machine.answer.withLock { $0 = .failure(.init()) }
        #expect(names.ask(for: 8) == .name("shop"))
    }

    @Test("are those of the system")
    func system() throws {
        #expect(try userName(0) == "root")
        #expect(try userName(4_000_000_000) == nil)
    }
}
