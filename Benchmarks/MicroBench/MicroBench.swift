internal import EntitlementModel
internal import Glibc

/// What the parts cost, each beside the least that it could cost.
///
///     micro-bench [PASSES]             measures and prints a table
///     micro-bench derive [PASSES]      the derivation alone
///     micro-bench PART [PASSES]        one part alone, to be profiled: `batches` of entries,
///                                      the reading of `facts`, the same with the derivation
///                                      (`cold`), `notifications`, `orders` with their
///                                      evidence, what they cost it (`beside-orders`),
///                                      what the change feed costs it (`beside-feed`), the
///                                      check of a `policy`, `spends` of credits, also all from
///                                      one account (`spends-from-one`), the verification of a JWS
///                                      (`verify`), its signature by the simulated store (`sign`)
///     micro-bench seed LEDGER COUNT    fills a ledger for the socket benchmark
///     micro-bench seed-orders LEDGER COUNT LOST    the same with orders, of which some are lost
@main
struct MicroBench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.count == 3, arguments.first == "seed", let path = arguments.dropFirst().first,
            let count = arguments.last.flatMap({ Int($0) })
        {
            return try await Population(accounts: count).write(to: path)
        }
        if arguments.count == 4, arguments.first == "seed-orders" {
            let rest = Array(arguments.dropFirst())
            if let count = Int(rest[1]), let lost = Int(rest[2]), (0...count).contains(lost) {
                return try await OrderPopulation(orders: count, lost: lost).write(to: rest[0])
            }
        }
        if let part = arguments.first, parts.contains(part) {
            let rest = arguments.dropFirst()
            let passes = rest.isEmpty ? 5 : rest.first.flatMap { Int($0) } ?? 0
            guard rest.count <= 1, passes > 0 else { refuse(rest.last) }
            return try await measure(part, passes: passes)
        }
        let passes = arguments.isEmpty ? 5 : arguments.first.flatMap { Int($0) } ?? 0
        guard arguments.count <= 1, passes > 0 else { refuse(arguments.first) }
        try await measure(passes: passes)
    }

    /// Ends with what could have been written.
    private static func refuse(_ word: String?) -> Never {
        let parts = parts.joined(separator: "|")
        var text = """
            usage: micro-bench [[\(parts)] PASSES] | micro-bench seed LEDGER COUNT
                   micro-bench seed-orders LEDGER COUNT LOST

            """
        if let word, Int(word) == nil, !["seed", "seed-orders"].contains(word) {
            text = "micro-bench: unknown word '\(word)'\n" + text
        }
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        exit(64)
    }

    private static let parts = [
        "batches", "beside-feed", "beside-orders", "cold", "derive", "facts", "notifications",
        "orders",
        "policy", "sign", "spends", "spends-from-one", "verify",
    ]

    private static func measure(_ part: String, passes: Int) async throws {
        if part == "derive" {
            print(DerivationTimes.table(policies: try Population.policies(), passes: passes))
            return
        }
        if part == "policy" {
            print(try PolicyTimes.table(passes: passes))
            return
        }
        let folder = try BenchFolder()
        defer { folder.remove() }
        let comparison =
            switch part {
            case "batches": try await batches(in: folder, passes: passes)
            case "beside-feed": try await evidenceBesideFeed(in: folder, passes: passes)
            case "beside-orders": try await evidenceBesideOrders(in: folder, passes: passes)
            case "cold": try await cold(in: folder, passes: passes)
            case "facts": try await reading(in: folder, passes: passes)
            case "notifications": try await notifications(in: folder, passes: passes)
            case "orders": try await orders(in: folder, passes: passes)
            case "spends": try await spends(in: folder, passes: passes)
            case "spends-from-one": try await spendsFromOne(in: folder, passes: passes)
            case "sign": try await signing(passes: passes)
            default: try await verification(passes: passes)
            }
        print(Comparison.title)
        print(comparison.row)
    }

    /// Each part by itself: one that cannot run says why, and the others go on.
    private static func measure(passes: Int) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        var hasFailed = false
        func part(_ name: String, _ measure: () async throws -> String) async {
            do {
                print(try await measure())
            } catch {
                hasFailed = true
                print("\(name): cannot be measured: \(error)")
            }
            // A file or a pipe would get all of it at the end, after minutes.
            fflush(nil)
        }
        print(Comparison.title)
        await part("verify") { try await verification(passes: passes).row }
        await part("sign") { try await signing(passes: passes).row }
        await part("receipt") { try await receipt(passes: passes).row }
        await part("ledger") {
            try await ledgerComparisons(in: folder, passes: passes).map(\.row)
                .joined(separator: "\n")
        }
        await part("notifications") { try await notifications(in: folder, passes: passes).row }
        await part("orders") { try await orders(in: folder, passes: passes).row }
        await part("beside-orders") {
            try await evidenceBesideOrders(in: folder, passes: passes).row
        }
        await part("beside-feed") { try await evidenceBesideFeed(in: folder, passes: passes).row }
        await part("spends") { try await spends(in: folder, passes: passes).row }
        await part("spends-from-one") { try await spendsFromOne(in: folder, passes: passes).row }
        print()
        await part("derive") {
            DerivationTimes.table(policies: try Population.policies(), passes: passes)
        }
        print()
        await part("policy") { try PolicyTimes.table(passes: passes) }
        guard hasFailed else { return }
        folder.remove()
        exit(1)
    }
}
