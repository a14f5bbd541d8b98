internal import Foundation
internal import HistoryComparison
internal import TestSupport

/// Compares the derivation with the specification over seeded random histories:
/// `history-check --histories 100000 --seed 1 [--threads 2] [--save FOLDER]
/// [--coverage yes]`.
///
/// Exit 0 where they agree, 1 where they do not, 64 for wrong usage.
@main
struct HistoryCheck {
    static func main() async {
        guard let options = CheckOptions(CommandLine.arguments.dropFirst()) else {
            print(CheckOptions.usage)
            exit(64)
        }
        let tally = await compareAll(options)
        if options.showsCoverage {
            for (place, count) in tally.coverage.visits.sorted(by: { $0.key < $1.key }) {
                print("\(count) histories: \(place)")
            }
            for place in Coverage.expected.subtracting(tally.coverage.visits.keys).sorted() {
                print("never: \(place)")
            }
        }
        if let seed = tally.failures.map(\.seed).min() {
            report(tally, first: seed, options: options)
            exit(1)
        }
        print("\(tally.summary): no disagreement")
        let missed = Coverage.expected.subtracting(tally.coverage.visits.keys).sorted()
        if options.histories >= Coverage.meaningfulHistories, !missed.isEmpty {
            print("never visited: \(missed.joined(separator: ", "))")
            exit(1)
        }
    }

    /// Every thread takes every n-th seed.
    private static func compareAll(_ options: CheckOptions) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for thread in 0..<options.threads {
                group.addTask {
                    var tally = Tally()
                    for index in stride(from: thread, to: options.histories, by: options.threads) {
                        tally.add(seed: options.seed &+ UInt64(index))
                    }
                    return tally
                }
            }
            return await group.reduce(Tally()) { $0.joined(with: $1) }
        }
    }

    private static func report(_ tally: Tally, first seed: UInt64, options: CheckOptions) {
        let whole = History.random(seed: seed)
        let topic = Comparison(whole).disagreements.first?.topic
        let smallest = whole.shrunk { history in
            Comparison(history).disagreements.contains { $0.topic == topic }
        }
        let disagreements = Comparison(smallest).disagreements.prefix(10).map(\.text)
        let text = smallest.text + disagreements.joined(separator: "\n") + "\n"
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
}

/// What was compared, and where the two disagree.
struct Tally: Sendable {
    private(set) var failures: [(seed: UInt64, text: String)] = []
    private var histories = 0
    private var instants = 0
    private var judgements = 0
    private(set) var coverage = Coverage()

    /// Compares the history of one seed.
    mutating func add(seed: UInt64) {
        let comparison = Comparison(History.random(seed: seed))
        histories += 1
        instants += comparison.instantsCompared
        judgements += comparison.judgementsCompared
        coverage = coverage.joined(with: comparison.coverage)
        if let first = comparison.disagreements.first { failures.append((seed, first.text)) }
    }

    /// The sum of two.
    func joined(with other: Tally) -> Tally {
        var sum = self
        sum.failures += other.failures
        sum.histories += other.histories
        sum.instants += other.instants
        sum.judgements += other.judgements
        sum.coverage = coverage.joined(with: other.coverage)
        return sum
    }

    /// One line for people.
    var summary: String {
        "\(histories) histories, \(instants) instants, \(judgements) judgements, "
            + "\(propertiesChecked.count) properties"
    }
}
