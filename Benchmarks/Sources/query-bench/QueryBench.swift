internal import Glibc

/// Drives `query.sock` and Redis with one client, in turns, and prints how they compare.
///
///     query-bench --usher query.sock --redis redis.sock --accounts 10000
@main
struct QueryBench {
    static func main() {
        do {
            let options = try BenchOptions(CommandLine.arguments.dropFirst())
            try run(options)
        } catch {
            printError("query-bench: \(error)")
            exit(2)
        }
    }

    private static func run(_ options: BenchOptions) throws(BenchFailure) {
        let redis = Party.redis(socket: options.redis, accounts: options.accounts)
        let usher = Party.usher(socket: options.usher, accounts: options.accounts)
        try prepare(redis, usher, options)
        print(BenchTable.title)
        for cell in options.cells {
            var redisPasses: [Pass] = []
            var usherPasses: [Pass] = []
            for _ in 1...options.passes {
                redisPasses.append(try LoadLoop(redis, cell).run(seconds: options.seconds))
                usherPasses.append(try LoadLoop(usher, cell).run(seconds: options.seconds))
            }
            print(BenchTable.row(cell, redis: redisPasses, usher: usherPasses))
        }
    }

    /// Stores in Redis what usher answers, byte for byte, so that both send the same; asking for
    /// every account also makes usher derive each once.
    private static func prepare(
        _ redis: Party, _ usher: Party, _ options: BenchOptions
    ) throws(BenchFailure) {
        let answers = try Exchange(usher).answers(to: options.accounts)
        guard let sample = answers.first,
            String(decoding: sample, as: UTF8.self).contains(#""decision":true"#)
        else {
            throw .wrongAnswer(usher.name)
        }
        try Exchange(redis).store(answers)
        printError("\(answers.count) accounts; an answer has \(sample.count) bytes")
    }
}

/// Beside the table, which may be redirected.
private func printError(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
