internal import Foundation
internal import HistoryComparison
internal import TestSupport

// The copy in which rules of the derivation are broken has no engine (scripts/mutants).
#if canImport(OrderComparison)
    internal import OrderComparison
#endif
#if PostgreSQL
    internal import FleetComparison
#endif

/// Compares the derivation, and the engine's orders, with the specification over seeded random
/// histories:
/// `history-check --histories 100000 --seed 1 [--scripts 100000] [--threads 2] [--save FOLDER]
/// [--coverage yes] [--only histories|orders] [--store memory|postgresql]`.
///
/// With `--store postgresql` the ledger is a fleet's of two nodes, on a server of its own: what a
/// history has recorded, and what the engine writes for a script, are asked of the other node too.
///
/// Exit 0 where they agree, 1 where they do not, 64 for wrong usage.
@main
struct HistoryCheck {
    static func main() async {
        guard let options = CheckOptions(CommandLine.arguments.dropFirst()) else {
            print(CheckOptions.usage)
            exit(64)
        }
        let stages: [HistoryStage]
        do {
            stages = try HistoryStage.all(options)
        } catch {
            print("\(error)")
            exit(64)
        }
        let tally = await compareAll(options, on: stages)
        if options.showsCoverage {
            for (place, count) in tally.coverage.visits.sorted(by: { $0.key < $1.key }) {
                print("\(count) histories: \(place)")
            }
            for place in tally.unvisited { print("never: \(place)") }
        }
        if let first = tally.failures.min(by: { $0.seed < $1.seed }) {
            await report(tally, first: first, options: options)
            exit(1)
        }
        print("\(tally.summary): no disagreement")
        let missed = tally.missed(options)
        if !missed.isEmpty {
            print("never visited: \(missed.joined(separator: ", "))")
            exit(1)
        }
    }

    /// Every thread takes every n-th seed.
    private static func compareAll(
        _ options: CheckOptions, on stages: [HistoryStage]
    ) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for (thread, stage) in stages.enumerated() {
                group.addTask {
                    var tally = Tally()
                    for index in stride(from: thread, to: options.histories, by: options.threads) {
                        let seed = options.seed &+ UInt64(index)
                        if options.part != .orders { await tally.addHistory(of: seed, on: stage) }
                        if index < options.scripts { await tally.addScript(of: seed, on: stage) }
                    }
                    return tally
                }
            }
            return await group.reduce(Tally()) { $0.joined(with: $1) }
        }
    }

    private static func report(
        _ tally: Tally, first: Tally.Failure, options: CheckOptions
    ) async {
        let seed = first.seed
        let text =
            options.isOnFleet
            ? first.text : first.isOfOrders ? await shrunkScript(seed) : shrunkHistory(seed)
        print(text)
        for failure in tally.failures.sorted(by: { $0.seed < $1.seed }).prefix(20) {
            print("seed \(failure.seed): \(failure.text)")
        }
        if let folder = options.folder {
            let file = URL(fileURLWithPath: folder).appendingPathComponent("seed-\(seed).txt")
            do {
                try Data(text.utf8).write(to: file)
            } catch {
                print("could not save '\(file.path)': \(error)")
            }
        }
        print("\(tally.summary): \(tally.failures.count) histories disagree, first seed \(seed)")
    }

    private static func shrunkHistory(_ seed: UInt64) -> String {
        let whole = History.random(seed: seed)
        let topic = Comparison(whole).disagreements.first?.topic
        let smallest = whole.shrunk { history in
            Comparison(history).disagreements.contains { $0.topic == topic }
        }
        let disagreements = Comparison(smallest).disagreements.prefix(10).map(\.text)
        return smallest.text + disagreements.joined(separator: "\n") + "\n"
    }

    private static func shrunkScript(_ seed: UInt64) async -> String {
        #if canImport(OrderComparison)
            func disagreements(_ script: OrderScript) async -> [Disagreement] {
                await OrderScriptComparison.of(script).disagreements
            }
            let whole = OrderScript.random(seed: seed)
            let topic = await disagreements(whole).first?.topic
            let smallest = await whole.shrunk { script in
                await disagreements(script).contains { $0.topic == topic }
            }
            let texts = await disagreements(smallest).prefix(10).map(\.text)
            return smallest.text + texts.joined(separator: "\n") + "\n"
        #else
            return ""
        #endif
    }
}

/// What is held over every history and script beside the specification.
let allProperties: [String] = {
    #if canImport(OrderComparison)
        propertiesChecked + orderPropertiesChecked
    #else
        propertiesChecked
    #endif
}()

/// What was compared, and where the two disagree.
struct Tally: Sendable {
    struct Failure: Sendable {
        var seed: UInt64
        var text: String
        /// Whether it is in the script of orders of the seed, not in its history.
        var isOfOrders: Bool
    }

    private(set) var failures: [Failure] = []
    private var histories = 0
    private var instants = 0
    private var judgements = 0
    private(set) var coverage = Coverage()
    private var orders = OrderTally()

    /// Compares the history of one seed.
    mutating func addHistory(of seed: UInt64, on stage: HistoryStage) async {
        let history = History.random(seed: seed)
        let comparison = Comparison(history)
        histories += 1
        instants += comparison.instantsCompared
        judgements += comparison.judgementsCompared
        coverage = coverage.joined(with: comparison.coverage)
        let found = await stage.compare(history)
        note(comparison.disagreements + found, seed, isOfOrders: false)
    }

    /// Compares the script of one seed.
    mutating func addScript(of seed: UInt64, on stage: HistoryStage) async {
        #if canImport(OrderComparison)
            let script = await stage.compare(OrderScript.random(seed: seed))
            coverage = coverage.joined(with: script.coverage)
            orders.add(script)
            note(script.disagreements, seed, isOfOrders: true)
        #endif
    }

    private mutating func note(
        _ disagreements: [Disagreement], _ seed: UInt64, isOfOrders: Bool
    ) {
        guard let first = disagreements.first else { return }
        failures.append(Failure(seed: seed, text: first.text, isOfOrders: isOfOrders))
    }

    /// The sum of two.
    func joined(with other: Tally) -> Tally {
        var sum = self
        sum.failures += other.failures
        sum.histories += other.histories
        sum.instants += other.instants
        sum.judgements += other.judgements
        sum.coverage = coverage.joined(with: other.coverage)
        sum.orders = orders.joined(with: other.orders)
        return sum
    }

    /// What should have been visited and was not.
    var unvisited: [String] {
        #if canImport(OrderComparison)
            let expected = Coverage.expected.union(Coverage.expectedOfOrders)
        #else
            let expected = Coverage.expected
        #endif
        return expected.subtracting(coverage.visits.keys).sorted()
    }

    /// The same, as far as so many histories and scripts must have visited it.
    func missed(_ options: CheckOptions) -> [String] {
        var expected: Set<String> = []
        if histories >= Coverage.meaningfulHistories { expected.formUnion(Coverage.expected) }
        #if canImport(OrderComparison)
            if options.scripts >= Coverage.meaningfulScripts {
                expected.formUnion(Coverage.expectedOfOrders)
            }
        #endif
        return expected.subtracting(coverage.visits.keys).sorted()
    }

    /// One line for people.
    var summary: String {
        "\(histories) histories, \(instants) instants, \(judgements) judgements, "
            + "\(allProperties.count) properties" + orders.summary
    }
}

/// What was compared of orders.
private struct OrderTally: Sendable {
    private var counts: [String: Int] = [:]
    private static let names = [
        "scripts", "calls", "orders", "paid", "reviewed", "reopened", "instants",
    ]

    #if canImport(OrderComparison)
        mutating func add(_ script: OrderScriptComparison) {
            let added = [
                script.orders > 0 ? 1 : 0, script.calls, script.orders, script.paid,
                script.reviewed, script.reopened, script.instants,
            ]
            for (name, count) in zip(Self.names, added) { counts[name, default: 0] += count }
        }
    #endif

    func joined(with other: OrderTally) -> OrderTally {
        var sum = self
        sum.counts.merge(other.counts, uniquingKeysWith: +)
        return sum
    }

    var summary: String {
        if counts.isEmpty { return "" }
        let texts = Self.names.dropFirst().map { "\(counts[$0] ?? 0) \($0)" }
        return "; \(counts["scripts"] ?? 0) scripts with orders: " + texts.joined(separator: ", ")
    }
}
