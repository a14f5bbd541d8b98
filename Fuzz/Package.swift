// swift-tools-version: 6.2

internal import PackageDescription

/// The readers under libFuzzer. A package of its own, because everything in it is built with
/// coverage counters; its targets are those of the program, by symbolic links.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
]

let package = Package(
    name: "usher-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.1"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.1"),
    ],
    targets: [
        .systemLibrary(name: "CFuzzer"),
        .target(name: "EntitlementModel", swiftSettings: settings),
        .target(name: "StrictJSON", swiftSettings: settings),
        .target(
            name: "EvidenceVerification",
            dependencies: [
                "EntitlementModel", "StrictJSON",
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "_CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "fuzz",
            dependencies: ["CFuzzer", "EntitlementModel", "StrictJSON", "EvidenceVerification"],
            swiftSettings: settings,
            // The usual linker stumbles over the counters' debug information.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6]
)
