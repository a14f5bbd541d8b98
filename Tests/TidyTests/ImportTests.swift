internal import Foundation
internal import TestSupport
internal import Testing

/// What each target may import: the arrows of docs/ARCHITECTURE.md.
private let allowedImports: [String: Set<String>] = [
    "EntitlementModel": [],
    "StrictJSON": [],
    "Sentences": ["EntitlementModel"],
    "EntitlementDerivation": ["EntitlementModel", "HeapModule"],
    "PolicyLoading": [
        "EntitlementModel", "StrictJSON", "Yams", "CYaml", "Crypto", "Foundation", "Glibc",
        "Darwin",
    ],
    "PolicyAnalysis": ["EntitlementModel", "EntitlementDerivation", "PolicyLoading"],
    "EvidenceVerification": [
        "EntitlementModel", "StrictJSON", "X509", "SwiftASN1", "Crypto", "_CryptoExtras",
        "FoundationEssentials", "Foundation", "Synchronization",
    ],
    "LedgerModel": [
        "EntitlementModel", "StrictJSON", "Crypto", "Synchronization", "FoundationEssentials",
    ],
    "LedgerStore": [
        "EntitlementModel", "LedgerModel", "StrictJSON", "GRDB", "GRDBSQLite", "Glibc",
        "Dispatch", "Synchronization", "SQLiteHardening", "FoundationEssentials",
    ],
    "PostgresStore": [
        "EntitlementModel", "LedgerModel", "LedgerStore", "LibPQ", "Dispatch", "Glibc",
        "Synchronization",
    ],
    "EntitlementAnswers": ["EntitlementModel", "EntitlementDerivation", "StrictJSON"],
    "AppleSync": [
        "EntitlementModel", "EntitlementDerivation", "EntitlementAnswers", "EntitlementEngine",
        "EvidenceVerification", "LedgerModel", "StrictJSON", "CurlShim", "Crypto", "Glibc",
        "FoundationEssentials", "Synchronization",
    ],
    "EntitlementEngine": [
        "EntitlementModel", "EntitlementDerivation", "EntitlementAnswers",
        "PolicyLoading", "PolicyAnalysis",
        "EvidenceVerification",
        "LedgerModel", "StrictJSON", "Crypto", "HeapModule", "Logging", "Glibc", "Dispatch",
        "Synchronization", "Sentences",
    ],
    "EntitlementServer": [
        "EntitlementModel", "EntitlementDerivation", "EntitlementAnswers", "EntitlementEngine",
        "StrictJSON", "Logging", "NIOCore", "NIOPosix", "Glibc", "Synchronization",
        "EvidenceVerification", "LedgerModel", "Dispatch", "Sentences",
    ],
    "StoreBox": [
        "EntitlementModel", "StrictJSON", "X509", "SwiftASN1", "Crypto", "_CryptoExtras",
        "HeapModule", "NIOCore", "NIOHTTP1", "NIOPosix", "FoundationEssentials",
        "Synchronization", "Sentences",
    ],
    "PolicyTools": [
        "AppleSync", "EntitlementModel", "EntitlementAnswers", "EntitlementDerivation",
        "EntitlementEngine", "EvidenceVerification", "LedgerModel", "PolicyAnalysis",
        "PolicyLoading", "StoreBox", "StrictJSON", "Synchronization", "Sentences",
    ],
    "usher": [
        "AppleSync", "ArgumentParser", "StoreBox",
        "EntitlementModel", "EntitlementAnswers",
        "EntitlementEngine",
        "EntitlementServer", "EvidenceVerification", "PolicyAnalysis",
        "PolicyLoading", "PolicyTools", "LedgerModel",
        "LedgerStore", "PostgresStore", "StrictJSON", "StoreBox", "Logging",
        "Dispatch", "Glibc", "FoundationEssentials", "EntitlementDerivation",
        "Synchronization", "Yams", "Sentences", "NIOCore", "NIOHTTP1", "NIOPosix",
    ],
]

/// Targets that learn the time and everything else as parameters.
private let pureTargets = [
    "EntitlementModel", "StrictJSON", "Sentences", "EntitlementDerivation", "EntitlementAnswers",
    "PolicyAnalysis", "PolicyLoading", "PolicyTools", "EvidenceVerification", "LedgerModel",
    "LedgerStore",
]

/// Words that would let time, the console or the environment in.
private let impureWords = [
    "print(", "debugPrint(", "dump(", "clock_gettime", "gettimeofday", "Date()", "Date.now",
    "ContinuousClock", "SuspendingClock", "getenv", "ProcessInfo", "CommandLine",
    "SystemRandomNumberGenerator", "Task.sleep", "usleep(", "sleep(",
]

@Suite("Imports and purity", .timeLimit(.minutes(20)))
struct ImportTests {
    @Test("every target imports only what its place in the house allows")
    func importsAreAllowed() throws {
        for path in Repository.files(under: "Sources", suffix: ".swift") {
            let target = String(path.split(separator: "/")[1])
            let allowed = try #require(allowedImports[target], "\(target) is not in the table")
            for (number, line) in try Repository.lines(path).enumerated() {
                guard let module = importedModule(line) else { continue }
                #expect(allowed.contains(module), "\(path):\(number + 1) imports \(module)")
            }
        }
    }

    @Test("one file of the program opens ledgers, and one more knows the store's statistics")
    func oneFileOpensLedgers() throws {
        let paths = try Repository.files(under: "Sources/usher", suffix: ".swift").filter {
            try Repository.text($0).contains("import LedgerStore")
        }
        #expect(
            Set(paths) == [
                "Sources/usher/Commands/Ledger/LedgerFile.swift",
                "Sources/usher/Commands/Ledger/LedgerVerify.swift",
            ])
    }

    @Test("every import states its access level")
    func importsStateTheirLevel() throws {
        for path in Repository.swiftFiles where !path.hasSuffix("/Package.swift") {
            for (number, line) in try Repository.lines(path).enumerated()
            where line.hasPrefix("import ") || line.hasPrefix("@testable import") {
                Issue.record("\(path):\(number + 1): an import without its access level")
            }
        }
    }

    @Test("no clock, console or environment below the engine")
    func pureTargetsArePure() throws {
        for target in pureTargets {
            for path in Repository.files(under: "Sources/" + target, suffix: ".swift") {
                for (number, line) in try Repository.lines(path).enumerated() {
                    let code = line.split(separator: "//", maxSplits: 1)[safe: 0] ?? ""
                    for word in impureWords where contains(code, word) {
                        Issue.record("\(path):\(number + 1) has \(word)")
                    }
                }
            }
        }
    }

    /// What asks Apple's servers, once it is configured; what serves a simulated App Store, or the
    /// console, at an address of this machine, and what posts its notifications to where it is told; with the word
    /// that each has.
    private static let network = [
        "Sources/AppleSync/Client/Transfers.swift": "CurlShim",
        "Sources/StoreBox/Box/AppStoreBox.swift": "(host:",
        "Sources/StoreBox/Box/NotificationPoster.swift": "(host:",
        "Sources/usher/Console/ConsoleListener.swift": "(host:",
    ]

    @Test("four files can speak to a network; nothing else makes an address of another machine")
    func nothingSpeaksToANetwork() throws {
        let words = [
            "AF_INET", "sockaddr_in", "getaddrinfo", "gethostbyname", "FoundationNetworking",
            "URLSession", "CurlShim", "makeAddressResolvingHost", "(ipAddress:", "(host:",
            "DatagramBootstrap", "Requester",
        ]
        for path in Repository.files(under: "Sources", suffix: ".swift") {
            // However the lines are broken.
            let text = try Repository.text(path).filter { !$0.isWhitespace }
            for word in words where text.contains(word) && Self.network[path] != word {
                Issue.record("\(path) has \(word)")
            }
            if let word = Self.network[path] { #expect(text.contains(word)) }
        }
    }

    /// Whether the word stands there by itself, not as the end of a longer name.
    private func contains(_ code: Substring, _ word: String) -> Bool {
        var rest = code
        while let found = rest.range(of: word) {
            let before = rest[..<found.lowerBound].last
            if before.map({ !$0.isLetter && $0 != "." && $0 != "_" }) ?? true { return true }
            rest = rest[found.upperBound...]
        }
        return false
    }

    private func importedModule(_ line: String) -> String? {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index <= 2, index + 1 < words.count,
            words[..<index].allSatisfy({
                ["internal", "package", "private", "@testable", "@_spi"].contains($0)
            })
        else { return nil }
        let last =
            words[index + 1] == "struct" || words[index + 1] == "class" ? index + 2 : index + 1
        return String(words[last].split(separator: ".")[0])
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
