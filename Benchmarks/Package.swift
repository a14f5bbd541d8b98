// swift-tools-version: 6.2

internal import PackageDescription

/// The load client: a package of its own, without dependencies, so that it never weighs on the
/// program and the program never helps it.
let package = Package(
    name: "usher-benchmarks",
    targets: [
        .systemLibrary(name: "CLinux"),
        .executableTarget(
            name: "query-bench",
            dependencies: ["CLinux"],
            swiftSettings: [
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
