// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Whether this is the build that `scripts/test` checks (`scripts/checked`): nothing is optimised in
/// it but the busiest modules, which keep their assertions, and it contains the fuzzer.
let isCheck = Context.environment["CHECKED_BUILD"] != nil

/// For modules whose running time outweighs the time to optimise them. Told to the compiler proper:
/// what the package says to the driver comes before the -Onone that `scripts/checked` says.
let optimised: [SwiftSetting] =
    isCheck ? [.unsafeFlags(["-Xfrontend", "-O", "-assert-config", "Debug"])] : []

/// Where `scripts/checked` lets SwiftPM look for tests. Only what has tests is indexed: of the rest it
/// would take a sixth of the build.
#if arch(arm64)
    let machine = "aarch64"
#else
    let machine = "x86_64"
#endif
let index =
    Context.packageDirectory + "/.build/check/\(machine)-unknown-linux-gnu/release/index/store"
let indexed: [SwiftSetting] =
    isCheck
    ? [.unsafeFlags(["-index-store-path", index, "-index-ignore-system-modules"])] : []

/// A dependency written as the arrow it is in `docs/ARCHITECTURE.md`.
func product(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package)
}

func house(
    _ name: String, _ dependencies: [Target.Dependency] = [], isBusy: Bool = true
) -> Target {
    .target(
        name: name, dependencies: dependencies,
        swiftSettings: settings + (isBusy ? optimised : []))
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    isBusy: Bool = false
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies, exclude: exclude,
        swiftSettings: settings + indexed + (isBusy ? optimised : []))
}

let package = Package(
    name: "usher",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "usher", targets: ["usher"])],
    traits: [
        .trait(
            name: "PostgreSQL",
            description: "Several nodes that share a ledger in PostgreSQL (docs/FLEET.md).")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // The nouns, then the five siblings that never import each other.
        house("EntitlementModel"),
        house("StrictJSON"),
        // What happened, or is supposed to have, in words: stories, plays and assumptions.
        house("Sentences", ["EntitlementModel"]),
        house(
            "EntitlementDerivation",
            ["EntitlementModel", product("HeapModule", "swift-collections")]),
        // What is answered and asked: the shape of each, once.
        house(
            "EntitlementAnswers", ["EntitlementModel", "EntitlementDerivation", "StrictJSON"],
            isBusy: false),
        house(
            "PolicyLoading",
            [
                "EntitlementModel", "StrictJSON", product("Yams", "Yams"),
                product("Crypto", "swift-crypto"),
            ], isBusy: false),
        // What a change of policy means: proofs over rules, and who gains and loses what.
        house(
            "PolicyAnalysis", ["EntitlementModel", "EntitlementDerivation", "PolicyLoading"]),
        house(
            "EvidenceVerification",
            [
                "EntitlementModel", "StrictJSON", product("X509", "swift-certificates"),
                product("SwiftASN1", "swift-asn1"), product("Crypto", "swift-crypto"),
                product("_CryptoExtras", "swift-crypto"),
            ]),
        // What every ledger is, whatever keeps it; then the one in a SQLite file.
        house(
            "LedgerModel",
            ["EntitlementModel", "StrictJSON", product("Crypto", "swift-crypto")]),
        house(
            "LedgerStore",
            [
                "EntitlementModel", "LedgerModel", "StrictJSON", "SQLiteHardening",
                product("GRDB", "GRDB.swift"), product("GRDBSQLite", "GRDB.swift"),
            ]),
        // The ledger of a fleet: the database keeps each commit before the ledger's file does.
        // Without the trait there is nothing in it.
        house(
            "PostgresStore",
            [
                "EntitlementModel", "LedgerModel", "LedgerStore",
                .target(name: "LibPQ", condition: .when(traits: ["PostgreSQL"])),
            ], isBusy: false),
        .systemLibrary(
            name: "LibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        // The one call of SQLite's that GRDB leaves out and Swift cannot make: it is variadic.
        .systemLibrary(name: "SQLiteHardening"),
        // The functions of libcurl, which is opened at the first request.
        .target(name: "CurlShim"),
        house(
            "EntitlementEngine",
            [
                "EntitlementModel", "EntitlementDerivation", "EntitlementAnswers", "PolicyLoading",
                "PolicyAnalysis", "EvidenceVerification", "LedgerModel", "Sentences",
                "StrictJSON",
                product("Crypto", "swift-crypto"), product("HeapModule", "swift-collections"),
                product("Logging", "swift-log"),
            ]),
        // What speaks with Apple: the only target that opens a network connection, and only when
        // configured.
        house(
            "AppleSync",
            [
                "CurlShim", "EntitlementModel", "EntitlementDerivation", "EntitlementAnswers",
                "EntitlementEngine", "EvidenceVerification", "LedgerModel", "StrictJSON",
                product("Crypto", "swift-crypto"),
            ]),
        house(
            "EntitlementServer",
            [
                "EntitlementModel", "EntitlementDerivation", "EntitlementAnswers",
                "EntitlementEngine", "EvidenceVerification", "LedgerModel", "Sentences",
                "StrictJSON",
                product("Logging", "swift-log"), product("NIOCore", "swift-nio"),
                product("NIOPosix", "swift-nio"),
            ]),
        // Plays what a store does, signs it as Apple would, and answers Apple's own calls over HTTP;
        // nothing that verifies may link it.
        house(
            "StoreBox",
            [
                "EntitlementModel", "Sentences", "StrictJSON",
                product("X509", "swift-certificates"),
                product("SwiftASN1", "swift-asn1"), product("Crypto", "swift-crypto"),
                product("_CryptoExtras", "swift-crypto"),
                product("HeapModule", "swift-collections"), product("NIOCore", "swift-nio"),
                product("NIOHTTP1", "swift-nio"), product("NIOPosix", "swift-nio"),
            ]),
        // The tools around policies, which only the program imports: an account and a policy as
        // pictures, tables and pages, policies in an editor, and the stories that test them.
        house(
            "PolicyTools",
            [
                "AppleSync", "EntitlementModel", "EntitlementAnswers", "EntitlementDerivation",
                "EntitlementEngine", "EvidenceVerification", "LedgerModel", "PolicyAnalysis",
                "PolicyLoading", "Sentences", "StoreBox", "StrictJSON",
            ], isBusy: false),
        .executableTarget(
            name: "usher",
            dependencies: [
                "AppleSync", "EntitlementModel", "EntitlementDerivation", "EntitlementAnswers",
                "EntitlementEngine", "EntitlementServer",
                "EvidenceVerification", "PolicyAnalysis", "PolicyLoading", "PolicyTools",
                "LedgerModel", "LedgerStore", "StrictJSON",
                .target(name: "PostgresStore", condition: .when(traits: ["PostgreSQL"])),
                "Sentences", "StoreBox",
                product("ArgumentParser", "swift-argument-parser"),
                product("Logging", "swift-log"), product("NIOCore", "swift-nio"),
                product("NIOHTTP1", "swift-nio"), product("NIOPosix", "swift-nio"),
                product("Yams", "Yams"),
            ],
            swiftSettings: settings),
        // Under Tests/: an independent statement of the rules, and what tests share.
        .target(
            name: "EntitlementSpecification", dependencies: ["EntitlementModel"],
            path: "Tests/EntitlementSpecification", swiftSettings: settings + optimised),
        .target(
            name: "TestSupport", dependencies: ["EntitlementModel"],
            path: "Tests/TestSupport", swiftSettings: settings),
        // A ledger in memory: what an engine's tests run on that are not about files.
        .target(
            name: "MemoryLedger", dependencies: ["EntitlementModel", "LedgerModel"],
            path: "Tests/MemoryLedger", swiftSettings: settings),
        // Signed purchases in any number, for the scripts that put load on the program.
        .executableTarget(
            name: "sample-evidence",
            dependencies: ["EntitlementModel", "StoreBox", "StrictJSON"],
            path: "Tests/SampleEvidence", swiftSettings: settings),
        // The derivation held against the specification over random histories.
        .target(
            name: "HistoryComparison",
            dependencies: [
                "EntitlementModel", "EntitlementAnswers", "EntitlementDerivation",
                "EntitlementSpecification", "TestSupport",
            ],
            path: "Tests/HistoryComparison", swiftSettings: settings + optimised),
        // The engine's orders held against the specification over random scripts of calls.
        .target(
            name: "OrderComparison",
            dependencies: [
                "EntitlementModel", "EntitlementDerivation", "EntitlementAnswers",
                "EntitlementEngine", "EntitlementSpecification", "HistoryComparison",
                "LedgerModel", "MemoryLedger", "PolicyLoading", "StoreBox", "TestSupport",
            ],
            path: "Tests/OrderComparison", swiftSettings: settings + optimised),
        // The same histories and scripts on the ledger of a fleet.
        .target(
            name: "FleetComparison",
            dependencies: [
                "EntitlementModel", "EntitlementDerivation", "EntitlementEngine",
                "HistoryComparison", "LedgerModel", "LedgerStore", "OrderComparison",
                "TestSupport",
                .target(name: "PostgresStore", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "LibPQ", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Tests/FleetComparison", swiftSettings: settings + optimised),
        // What the parts cost, each beside the least that it could cost.
        .executableTarget(
            name: "micro-bench",
            dependencies: [
                "EntitlementModel", "EntitlementDerivation", "EntitlementEngine",
                "EvidenceVerification", "LedgerModel", "LedgerStore", "PolicyAnalysis",
                "PolicyLoading",
                "StoreBox", "StrictJSON", product("Crypto", "swift-crypto"),
                product("_CryptoExtras", "swift-crypto"), product("GRDBSQLite", "GRDB.swift"),
            ],
            path: "Benchmarks/MicroBench", swiftSettings: settings),
        // How a Swift service asks (examples/README.md).
        .executableTarget(
            name: "ask-example",
            dependencies: [
                product("NIOCore", "swift-nio"), product("NIOHTTP1", "swift-nio"),
                product("NIOPosix", "swift-nio"),
            ],
            path: "examples/swift", swiftSettings: settings),
        .executableTarget(
            name: "history-check",
            dependencies: [
                "FleetComparison", "HistoryComparison", "OrderComparison", "TestSupport",
            ],
            path: "Tests/HistoryCheck", swiftSettings: settings),
        tests("EntitlementModel", ["EntitlementModel", "TestSupport"]),
        tests(
            "AppleSync",
            [
                "AppleSync", "EntitlementAnswers", "EntitlementEngine", "EntitlementModel",
                "StoreBox", "StrictJSON", "TestSupport", product("X509", "swift-certificates"),
                product("Crypto", "swift-crypto"), product("SwiftASN1", "swift-asn1"),
            ]),
        tests(
            "StoreBox",
            [
                "EntitlementModel", "EvidenceVerification", "StoreBox", "StrictJSON",
                "TestSupport", product("Crypto", "swift-crypto"),
            ]),
        tests("StrictJSON", ["StrictJSON", "TestSupport"]),
        tests(
            "EntitlementDerivation",
            [
                "EntitlementModel", "EntitlementDerivation", "EntitlementSpecification",
                "FleetComparison", "HistoryComparison", "LedgerModel", "TestSupport",
                "PolicyLoading", product("Yams", "Yams"),
            ]),
        tests(
            "PolicyLoading",
            ["EntitlementModel", "PolicyAnalysis", "PolicyLoading", "TestSupport"],
            exclude: ["Snapshots"]),
        // Every case of ten thousand policies is enumerated here.
        tests(
            "PolicyAnalysis",
            [
                "EntitlementModel", "EntitlementDerivation", "HistoryComparison",
                "PolicyAnalysis", "PolicyLoading", "TestSupport",
            ], isBusy: true),
        tests(
            "PolicyEditing",
            [
                "EntitlementModel", "PolicyAnalysis", "PolicyLoading", "PolicyTools",
                "StrictJSON", "TestSupport",
            ]),
        tests(
            "PolicyStories",
            [
                "EntitlementModel", "EntitlementDerivation", "EntitlementEngine", "LedgerModel",
                "LedgerStore", "PolicyLoading", "PolicyTools", "Sentences", "StoreBox",
                "TestSupport",
            ]),
        tests(
            "EvidenceVerification",
            [
                "EntitlementModel", "StrictJSON", "EvidenceVerification", "StoreBox",
                "TestSupport", product("X509", "swift-certificates"),
                product("SwiftASN1", "swift-asn1"), product("Crypto", "swift-crypto"),
            ]),
        tests(
            "LedgerStore",
            [
                "EntitlementModel", "EntitlementDerivation", "FleetComparison",
                "HistoryComparison", "LedgerModel", "LedgerStore", "MemoryLedger", "StrictJSON",
                "TestSupport",
                .target(name: "PostgresStore", condition: .when(traits: ["PostgreSQL"])),
                product("GRDB", "GRDB.swift"),
            ]),
        tests(
            "EntitlementEngine",
            [
                "AppleSync", "EntitlementModel", "EntitlementAnswers", "EntitlementEngine",
                "EntitlementDerivation", "EntitlementSpecification", "EvidenceVerification",
                "FleetComparison", "HistoryComparison",
                "LedgerModel", "LedgerStore", "MemoryLedger", "OrderComparison",
                "PolicyAnalysis", "PolicyLoading", "PolicyTools", "Sentences",
                "StoreBox",
                .target(name: "PostgresStore", condition: .when(traits: ["PostgreSQL"])),
                "StrictJSON", "TestSupport",
                product("Crypto", "swift-crypto"), product("GRDB", "GRDB.swift"),
            ]),
        tests(
            "EntitlementServer",
            [
                "AppleSync", "EntitlementModel", "EntitlementAnswers", "EntitlementEngine",
                "EntitlementServer", "EvidenceVerification", "LedgerModel", "LedgerStore",
                "MemoryLedger", "PolicyLoading",
                "StoreBox", "StrictJSON", "TestSupport", product("Logging", "swift-log"),
                product("NIOCore", "swift-nio"), product("NIOEmbedded", "swift-nio"),
                product("NIOPosix", "swift-nio"),
            ]),
        tests(
            "TimelineDrawing",
            [
                "EntitlementModel", "EntitlementAnswers", "PolicyTools", "StrictJSON",
                "TestSupport",
            ],
            exclude: ["Inputs", "Snapshots"]),
        tests(
            "PolicyDrawing",
            [
                "EntitlementModel", "PolicyAnalysis", "PolicyLoading", "PolicyTools",
                "StrictJSON", "TestSupport",
            ],
            exclude: ["Snapshots"]),
        tests("Tidy", ["TestSupport"]),
        tests(
            "Usher",
            [
                "usher", "AppleSync", "EntitlementModel", "EntitlementAnswers",
                "EntitlementEngine", "EntitlementServer", "EvidenceVerification", "StoreBox",
                "StrictJSON", "TestSupport",
                product("ArgumentParser", "swift-argument-parser"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// The readers of strangers' bytes under libFuzzer: the same sources once more, under other names,
// with coverage counters.
if isCheck {
    let aliases = [
        "EntitlementModel=FuzzedModel", "StrictJSON=FuzzedJSON",
        "EvidenceVerification=FuzzedVerification",
    ].flatMap { ["-module-alias", $0] }
    let counted = settings + [.unsafeFlags(["-sanitize=fuzzer"] + aliases)]
    let fuzzed = counted + [.unsafeFlags(["-Xfrontend", "-O"])]
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .target(
            name: "FuzzedModel", path: "Fuzz/EntitlementModel", swiftSettings: counted),
        .target(name: "FuzzedJSON", path: "Fuzz/StrictJSON", swiftSettings: fuzzed),
        .target(
            name: "FuzzedVerification",
            dependencies: [
                "FuzzedModel", "FuzzedJSON", product("X509", "swift-certificates"),
                product("SwiftASN1", "swift-asn1"), product("Crypto", "swift-crypto"),
                product("_CryptoExtras", "swift-crypto"),
            ],
            path: "Fuzz/EvidenceVerification", swiftSettings: fuzzed),
        .executableTarget(
            name: "fuzz",
            dependencies: ["CFuzzer", "FuzzedModel", "FuzzedJSON", "FuzzedVerification"],
            path: "Fuzz/Fuzzer", swiftSettings: fuzzed,
            // The usual linker stumbles over the counters' debug information. The library has a
            // main of its own, which nobody calls and which calls this.
            linkerSettings: [
                .unsafeFlags([
                    "-sanitize=fuzzer", "-use-ld=lld", "-Xlinker",
                    "--defsym=LLVMFuzzerTestOneInput=0",
                ])
            ]),
    ]
}
