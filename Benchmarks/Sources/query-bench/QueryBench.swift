internal import Glibc

/// The lean client that measures every party alike; each call prints rows of one table.
///
///     query-bench title
///     query-bench fill --accounts N --usher SOCKET [--redis SOCKET] [--postgres SOCKET]
///     query-bench compare WHAT --accounts N --ours PARTY=SOCKET --yardstick PARTY=SOCKET
///         [--yardstick-accounts N] [--connections N] [--questions N] [--passes N]
///         [--milliseconds N] [--rate GOAL] [--p99 GOAL] [--time GOAL] [--cpu GOAL]
///     query-bench start WHAT --usher SOCKET --accounts N [--passes N] [--goal GOAL] -- COMMAND
///     query-bench time WHAT [--passes N] [--goal GOAL] -- COMMAND
///     query-bench beside WHAT --usher SOCKET --accounts N [--passes N] [--per-second N]
///         [--connections N] [--goal GOAL] [--p99 GOAL] -- COMMAND ({pass}: the pass, from 1)
///     query-bench rederive --usher SOCKET --status SOCKET --accounts N --done MEMBER=VALUE
///         --into FILE --texts FILE,FILE [--per-second N] [--connections N]
///         [--goal GOAL] [--p99 GOAL]
@main
struct QueryBench {
    static func main() {
        do throws(BenchFailure) {
            try run(BenchArguments(CommandLine.arguments.dropFirst()))
        } catch {
            printNote("query-bench: \(error)")
            exit(2)
        }
    }

    private static func run(_ arguments: BenchArguments) throws(BenchFailure) {
        switch arguments.verb {
        case "title": print(BenchRow.title)
        case "fill": try Filling(arguments).run()
        case "compare": try Contest(arguments).run()
        case "start": try StartTimes(arguments).run()
        case "time": try ProcessTimes(arguments).run()
        case "beside": try Beside(arguments).run()
        case "rederive": try Rederivation(arguments).run()
        default: throw .usage(arguments.verb)
        }
    }
}

/// Beside the table, which may be redirected.
func printNote(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
