internal import Testing

@testable internal import EntitlementServer

@Suite("Patience", .timeLimit(.minutes(20)))
struct StallMeterTests {
    private static func reading(
        _ awaited: ConnectionAwaited?, answered: Int = 0, sent: Int = 0, unsent: Int = 0
    ) -> StallMeter.Reading {
        StallMeter.Reading(awaited: awaited, answered: answered, sent: sent, unsent: unsent)
    }

    /// Ticks with the same reading until timeouts ends; nil where it never does.
    private static func secondsUntilVerdict(
        _ reading: StallMeter.Reading
    ) -> (seconds: Int, verdict: StallMeter.Verdict)? {
        var meter = StallMeter(timeouts: ConnectionTimeouts())
        for seconds in 0..<1_000 {
            let verdict = meter.tick(reading)
            if verdict != .ok { return (seconds, verdict) }
        }
        return nil
    }

    @Test(
        "ends after the time of the step",
        arguments: [
            (reading(.head), 10, StallMeter.Verdict.timeout),
            (reading(.body), 30, .timeout),
            (reading(.request, answered: 1), 60, .timeout),
            (reading(.request, answered: 1, sent: 5, unsent: 7), 10, .drop),
            (reading(nil, answered: 1, sent: 5, unsent: 7), 10, .drop),
        ])
    func ends(
        reading: StallMeter.Reading, seconds: Int, verdict: StallMeter.Verdict
    ) throws {
        let end = try #require(Self.secondsUntilVerdict(reading))
        #expect(end.seconds == seconds)
        #expect(end.verdict == verdict)
    }

    @Test("never ends while it is our turn")
    func ourTurn() {
        #expect(Self.secondsUntilVerdict(Self.reading(nil)) == nil)
    }

    @Test("begins anew with every answer and every byte taken")
    func progress() {
        var meter = StallMeter(timeouts: ConnectionTimeouts())
        for second in 0..<1_000 {
            #expect(meter.tick(Self.reading(.head, answered: second)) == .ok)
        }
        for second in 0..<1_000 {
            #expect(meter.tick(Self.reading(.head, sent: second, unsent: 9)) == .ok)
        }
    }
}
