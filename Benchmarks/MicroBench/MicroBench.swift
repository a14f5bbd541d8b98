internal import EntitlementModel
internal import Glibc

/// What the parts cost, each beside the least that it could cost.
///
///     micro-bench [PASSES]             measures and prints a table
///     micro-bench derive [PASSES]      the derivation alone
///     micro-bench facts [PASSES]       the reading of facts alone, to be profiled
///     micro-bench verify [PASSES]      the verification of a JWS alone
///     micro-bench seed LEDGER COUNT    fills a ledger for the socket benchmark
@main
struct MicroBench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.count == 3, arguments.first == "seed", let path = arguments.dropFirst().first,
            let count = arguments.last.flatMap({ Int($0) })
        {
            return try await Population(accounts: count).write(to: path)
        }
        if let part = arguments.first, ["derive", "facts", "verify"].contains(part) {
            let passes = arguments.dropFirst().first.flatMap { Int($0) } ?? 5
            return try await measure(part, passes: passes)
        }
        let passes = arguments.first.flatMap { Int($0) } ?? 5
        guard arguments.count <= 1, passes > 0 else {
            print(
                "usage: micro-bench [[derive|facts|verify] PASSES] | micro-bench seed LEDGER COUNT")
            exit(64)
        }
        try await measure(passes: passes)
    }

    private static func measure(_ part: String, passes: Int) async throws {
        switch part {
        case "derive":
            print(DerivationTimes.table(policies: try Population.policies(), passes: passes))
        case "facts":
            let folder = try BenchFolder()
            defer { folder.remove() }
            print(Comparison.title)
            print(try await reading(in: folder, passes: passes).row)
        default:
            print(Comparison.title)
            print(try await verification(passes: passes).row)
        }
    }

    private static func measure(passes: Int) async throws {
        print(Comparison.title)
        print(try await verification(passes: passes).row)
        print(try await receipt(passes: passes).row)
        let folder = try BenchFolder()
        defer { folder.remove() }
        for comparison in try await ledgerComparisons(in: folder, passes: passes) {
            print(comparison.row)
        }
        print(try await notifications(in: folder, passes: passes).row)
        print()
        print(DerivationTimes.table(policies: try Population.policies(), passes: passes))
    }
}
