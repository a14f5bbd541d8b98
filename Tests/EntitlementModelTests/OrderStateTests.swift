internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("States of an order", .timeLimit(.minutes(20)))
struct OrderStateTests {
    /// Every state with every event; `docs/ORDERS.md` has the same.
    private static var rows: [String] {
        OrderState.allCases.map { state in
            let after = OrderEventKind.allCases.map { state.after($0)?.rawValue ?? "" }
            return "| \(([state.rawValue] + after).joined(separator: " | ")) |"
                .replacing("|  |", with: "| |").replacing("|  |", with: "| |")
        }
    }

    @Test("follow one another as docs/ORDERS.md says, every state with every event")
    func table() throws {
        let file = try String(contentsOf: Repository.url("docs/ORDERS.md"), encoding: .utf8)
        let head = "| state | " + OrderEventKind.allCases.map(\.rawValue).joined(separator: " | ")
        let table = file.split(separator: "\n").drop { !$0.hasPrefix(head) }.dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        #expect(table.map(String.init) == Self.rows)
    }

    @Test("are open, closed or paid, and only one of these")
    func classes() {
        for state in OrderState.allCases {
            let classes = [state.isOpen, state.isReopenable, state.isPaid, state == .review]
            #expect(classes.filter(\.self).count == 1, "\(state)")
        }
    }

    @Test("come to abandoned by a plan that was changed back alone, and no report pays an order")
    func rules() {
        for state in OrderState.allCases {
            for event in OrderEventKind.allCases {
                let after = state.after(event)
                #expect(after != .abandoned || event == .changedBack)
                guard event.isReport, let after, !state.isPaid else { continue }
                // What the customer has already is finished, without a payment.
                let isFinished = event == .alreadyOwned && state != .scheduled
                #expect(isFinished ? after == .finished : !after.isPaid, "\(state) \(event)")
            }
        }
    }

    @Test("accept 'finished' before the payment is known, which changes nothing but abandonment")
    func finishedEarly() {
        for state in OrderState.allCases where !state.isPaid && state != .notAllowed {
            #expect(state.after(.finished) == (state == .abandoned ? .paying : state))
        }
        #expect(OrderState.paid.after(.finished) == .paid)
        #expect(OrderState.delivered.after(.finished) == .finished)
    }
}
