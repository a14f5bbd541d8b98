internal import Foundation
internal import StrictJSON

/// Prints purchases for tests that need many, one per line as `usher ingest` reads them; or signs
/// what a test says, one piece of evidence for each line (`SampleSigner`).
@main
struct SampleEvidence {
    private static let usage = """
        usage: sample-evidence [--count N] [--accounts N] [--from N]
               sample-evidence --sign RECEIPT-ROOT\n
        """

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--sign", arguments.count == 2, let root = arguments.last {
            return try sign(receiptRoot: root)
        }
        var numbers = ["--count": 100, "--accounts": 1, "--from": 0]
        var rest = arguments
        while let name = rest.popFirst() {
            let range = name == "--accounts" ? 1...10_000_000 : 0...1_000_000_000_000
            guard numbers[name] != nil, let number = rest.popFirst().flatMap({ Int($0) }),
                range.contains(number)
            else { refuse(usage) }
            numbers[name] = number
        }
        let purchases = SamplePurchases(accounts: numbers["--accounts"] ?? 1)
        let first = numbers["--from"] ?? 0
        for number in first..<first + (numbers["--count"] ?? 0) {
            try write(purchases[number].text)
        }
    }

    /// The root of the receipts is another one each time: it is written to that file.
    private static func sign(receiptRoot: String) throws {
        let signer = SampleSigner()
        try Data(signer.receiptRoot.utf8).write(to: URL(fileURLWithPath: receiptRoot))
        while let line = readLine() {
            guard let signed = try signer.evidence(parseJSON(Array(line.utf8))) else {
                refuse("no evidence can be made of: \(line)\n")
            }
            try write(signed)
        }
    }

    private static func write(_ line: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }

    private static func refuse(_ words: String) -> Never {
        FileHandle.standardError.write(Data(words.utf8))
        exit(64)
    }
}
