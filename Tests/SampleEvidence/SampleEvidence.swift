internal import Foundation
internal import StrictJSON

/// Prints purchases for tests that need many, one per line as `usher ingest` reads them.
@main
struct SampleEvidence {
    private static let usage = "usage: sample-evidence [--count N] [--accounts N] [--from N]\n"

    static func main() throws {
        var numbers = ["--count": 100, "--accounts": 1, "--from": 0]
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            let range = name == "--accounts" ? 1...10_000_000 : 0...1_000_000_000_000
            guard numbers[name] != nil, let number = rest.popFirst().flatMap({ Int($0) }),
                range.contains(number)
            else {
                FileHandle.standardError.write(Data(usage.utf8))
                exit(64)
            }
            numbers[name] = number
        }
        let purchases = SamplePurchases(accounts: numbers["--accounts"] ?? 1)
        let first = numbers["--from"] ?? 0
        for number in first..<first + (numbers["--count"] ?? 0) {
            let line = purchases[number].text + "\n"
            try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
        }
    }
}
