// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours: Swift 6 mode, strict concurrency, warnings are errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "swift-oidc-broker",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
        .library(name: "OpenIDRelyingParty", targets: ["OpenIDRelyingParty", "OpenIDConnect"]),
        .library(name: "OpenIDRelyingPartyNIO", targets: ["OpenIDRelyingPartyNIO"]),
        .library(name: "SignInWithApple", targets: ["SignInWithApple"]),
        .library(name: "Accounts", targets: ["Accounts"]),
        .library(name: "AccountsSQLite", targets: ["AccountsSQLite"]),
        .library(name: "AccountsClient", targets: ["AccountsClient"]),
        .library(name: "OIDCBroker", targets: ["OIDCBroker", "Admission"]),
        .library(name: "OIDCBrokerNIO", targets: ["OIDCBrokerNIO"]),
        .library(name: "OIDCBrokerOperations", targets: ["OIDCBrokerOperations"]),
        .library(name: "OIDCBrokerServer", targets: ["OIDCBrokerServer"]),
        .library(name: "OIDCBrokerValkey", targets: ["OIDCBrokerValkey"]),
        .library(name: "OIDCBrokerPostgreSQL", targets: ["OIDCBrokerPostgreSQL"]),
        .library(name: "OIDCBrokerTesting", targets: ["OIDCBrokerTesting"]),
        .executable(name: "oidc-broker", targets: ["oidc-broker"]),
        .executable(name: "callback-latency", targets: ["callback-latency"]),
        .executable(name: "callback-micro", targets: ["callback-micro"]),
    ],
    traits: [
        .trait(
            name: "Server",
            description: "Configuration from files and the command line, for the standalone server."
        ),
        .trait(name: "SQLite", description: "The store of accounts on SQLite, for one process."),
        .trait(
            name: "PostgreSQL",
            description: "The stores that replicas share on PostgreSQL, with the system's libpq."
        ),
        .trait(name: "Examples", description: "The example on Hummingbird, which is fetched with this trait only."),
        .default(enabledTraits: ["Server", "SQLite"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers.git", from: "1.7.0"),
        .package(
            url: "https://github.com/apple/swift-configuration.git", from: "1.4.0",
            traits: [
                .defaults,
                .trait(name: "YAML", condition: .when(traits: ["Server"])),
                .trait(name: "Reloading", condition: .when(traits: ["Server"])),
                .trait(name: "CommandLineArguments", condition: .when(traits: ["Server"])),
            ]),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        // Already in the graph through swift-configuration's YAML trait; names the keys of a configuration file.
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
        // SQLite for the store of accounts, with the system's library.
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        // The example `hummingbird-server` only, with the trait `Examples`.
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1"),
        // Tests only: an independent signer and verifier.
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.1"),
    ],
    targets: [
        // MARK: The core: pure, no sockets.
        .target(
            name: "JOSE",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .target(name: "OpenIDConnect", dependencies: ["JOSE"], swiftSettings: settings),

        // MARK: The relying party.
        .target(
            name: "OpenIDRelyingParty",
            dependencies: [
                "OpenIDConnect",
                "JOSE",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        // The transport over connections of its own; `OpenIDRelyingParty` alone has the one over AsyncHTTPClient.
        .target(
            name: "OpenIDRelyingPartyNIO",
            dependencies: [
                "OpenIDRelyingParty", "OpenIDConnect", "JOSE",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "SignInWithApple",
            dependencies: [
                "OpenIDRelyingParty", "OpenIDConnect", "JOSE",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: settings),

        // MARK: How often something may happen; pure.
        .target(name: "Admission", swiftSettings: settings),

        // MARK: The people who are kept, beside the broker.
        .target(
            name: "Accounts",
            dependencies: [
                "JOSE", "OpenIDConnect", "Admission", .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        // Empty without the trait `SQLite`.
        .target(
            name: "AccountsSQLite",
            dependencies: [
                "Accounts",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),

        // MARK: The accounts in an app, which links Foundation and nothing of this package.
        .target(name: "AccountsClient", swiftSettings: settings),

        // MARK: The broker.
        .target(
            name: "OIDCBroker",
            dependencies: [
                "JOSE", "OpenIDConnect", "OpenIDRelyingParty", "SignInWithApple", "Admission",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .target(
            name: "OIDCBrokerNIO",
            dependencies: [
                "Admission", "OIDCBroker", "OpenIDRelyingParty",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        // What an operator sees: metrics text, health, log and audit, and what systemd is told. Also what a broker in
        // another server does in the background.
        .target(
            name: "OIDCBrokerOperations",
            dependencies: [
                "Admission", "OIDCBroker", "OpenIDRelyingParty", "OpenIDConnect", "JOSE",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        // The store that replicas share, on Valkey or Redis.
        .target(
            name: "OIDCBrokerValkey",
            dependencies: [
                "JOSE", "Admission", "OIDCBroker", "OpenIDRelyingParty", "OpenIDRelyingPartyNIO",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        // The system's library of PostgreSQL, for the trait `PostgreSQL` only.
        .systemLibrary(
            name: "CLibPQ", path: "Sources/CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        // The same on PostgreSQL. Empty without the trait `PostgreSQL`.
        .target(
            name: "OIDCBrokerPostgreSQL",
            dependencies: [
                "Admission", "OIDCBroker", "Accounts", "JOSE", "OpenIDRelyingParty",
                .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .target(
            name: "OIDCBrokerServer",
            dependencies: [
                .target(name: "OIDCBrokerPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                "OIDCBrokerOperations", "OIDCBrokerValkey", "OIDCBrokerNIO", "Admission", "OIDCBroker",
                "OpenIDRelyingPartyNIO",
                "OpenIDRelyingParty",
                "OpenIDConnect", "JOSE",
                "Accounts", "IdentityToolkit",
                .target(name: "AccountsSQLite", condition: .when(traits: ["SQLite"])),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOCertificateReloading", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams", condition: .when(traits: ["Server"])),
            ],
            swiftSettings: settings),

        // The wire of the Firebase SDKs, above accounts and the broker.
        .target(
            name: "IdentityToolkit",
            dependencies: [
                "Accounts", "Admission", "OIDCBroker", "SignInWithApple", "OpenIDRelyingParty", "OpenIDConnect", "JOSE",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: settings),

        // MARK: Test support, a public product.
        .target(
            name: "OIDCBrokerTesting",
            dependencies: [
                "JOSE", "OpenIDConnect", "OpenIDRelyingParty", "SignInWithApple", "Admission", "OIDCBroker", "Accounts",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: settings),

        // MARK: Executables.
        .executableTarget(
            name: "oidc-broker",
            dependencies: [
                "OIDCBrokerServer", "OIDCBrokerOperations", "OIDCBrokerNIO", "Admission", "OIDCBroker",
                "OIDCBrokerTesting",
                "OpenIDRelyingParty", "SignInWithApple",
                "OpenIDConnect", "JOSE", "Accounts",
                .target(name: "OIDCBrokerPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "AccountsSQLite", condition: .when(traits: ["SQLite"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings,
            // Swift exports every symbol of an executable on Linux, for nobody here: 5 MB that the loader reads.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(platforms: [.linux]))]),
        // What the latency tool measures and reports with, without the network.
        .target(
            name: "LatencyMeasurement", dependencies: ["JOSE"], path: "Benchmarks/LatencyMeasurement",
            swiftSettings: settings),
        .executableTarget(
            name: "callback-latency",
            dependencies: [
                "LatencyMeasurement", "JOSE", "OIDCBrokerServer", "OIDCBrokerOperations", "OIDCBrokerTesting",
                "Admission", "OIDCBroker", "OpenIDRelyingParty",
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Benchmarks/callback-latency",
            swiftSettings: settings),
        .executableTarget(
            name: "callback-micro",
            dependencies: [
                "JOSE", "OpenIDConnect", "OpenIDRelyingParty", "OpenIDRelyingPartyNIO", "Admission", "OIDCBroker",
                "OIDCBrokerNIO", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Benchmarks/micro",
            swiftSettings: settings),
        // What a hostile token costs, by its length; for callgrind.
        .executableTarget(
            name: "hostile-token", dependencies: ["JOSE"], path: "Benchmarks/hostile-token", swiftSettings: settings),
        // The worst inputs of every kind, while one more person signs in; starts callback-latency and oidc-broker.
        .executableTarget(
            name: "hostile-traffic",
            dependencies: [
                "LatencyMeasurement",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Benchmarks/hostile-traffic",
            swiftSettings: settings),
        .executableTarget(
            name: "embedded-server",
            dependencies: [
                "ExampleSite", "OIDCBrokerNIO", "Admission", "OIDCBroker", "OpenIDConnect", "OpenIDRelyingParty",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Examples/embedded-server",
            swiftSettings: settings),

        // What the examples have in common: an app of its own, and how it is served.
        .target(
            name: "ExampleSite",
            dependencies: [
                "Admission", "OIDCBroker", "OpenIDConnect",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Examples/ExampleSite", swiftSettings: settings),
        .target(
            name: "ExampleServing",
            dependencies: [
                "ExampleSite", "OIDCBrokerOperations", "Admission", "OIDCBroker", "OpenIDRelyingParty",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Examples/ExampleServing", swiftSettings: settings),
        .executableTarget(
            name: "embedded-tls-server",
            dependencies: [
                "ExampleServing", "ExampleSite", "OIDCBrokerNIO", "Admission", "OIDCBroker",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Examples/embedded-tls-server", swiftSettings: settings),
        .executableTarget(
            name: "async-server",
            dependencies: [
                "ExampleServing", "ExampleSite", "OIDCBrokerNIO", "Admission", "OIDCBroker",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Examples/async-server", swiftSettings: settings),
        // Without the trait `Examples` it only says how to build it.
        .executableTarget(
            name: "hummingbird-server",
            dependencies: [
                "ExampleServing", "ExampleSite", "OIDCBrokerNIO", "Admission", "OIDCBroker",
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Examples"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Examples"])),
                .product(name: "HummingbirdHTTP2", package: "hummingbird", condition: .when(traits: ["Examples"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Examples/hummingbird-server", swiftSettings: settings),

        // MARK: Tests.
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "TestingSupport", "ExampleServing", "embedded-tls-server", "async-server", "hummingbird-server",
                "Admission", "OIDCBroker", "OIDCBrokerTesting", "OpenIDRelyingParty",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        // Seeded random inputs for the parsers.
        .target(name: "FuzzingSupport", path: "Tests/FuzzingSupport", swiftSettings: settings),
        // What several test targets use: an OpenID Provider in memory, a browser, a connection for bytes, recorders of
        // logs, the list of attacks, and whose turn it is among the tests that talk over real sockets.
        .target(
            name: "TestingSupport",
            dependencies: [
                "OIDCBrokerTesting", "Admission", "OIDCBroker", "OpenIDRelyingParty", "OpenIDConnect", "JOSE",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/TestingSupport",
            swiftSettings: settings),
        .testTarget(
            name: "JOSETests",
            dependencies: [
                "JOSE", "FuzzingSupport", "TestingSupport",
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            exclude: ["Fuzzing/Corpus"],
            swiftSettings: settings),
        .testTarget(
            name: "LatencyMeasurementTests", dependencies: ["LatencyMeasurement", "JOSE"], swiftSettings: settings),
        .testTarget(
            name: "AccountsTests",
            dependencies: [
                "Accounts", "OIDCBrokerTesting", "FuzzingSupport", "AccountsTestSupport", "JOSE",
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AccountsSQLiteTests",
            dependencies: [
                "AccountsSQLite", "Accounts", "OIDCBrokerTesting", "FuzzingSupport", "AccountsTestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AccountsClientTests",
            dependencies: [
                "AccountsClient", "Accounts", "OIDCBrokerServer", "Admission", "OIDCBroker", "OIDCBrokerTesting",
                "OpenIDRelyingParty", "OpenIDConnect", "JOSE", "TestingSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "IdentityToolkitTests",
            dependencies: [
                "IdentityToolkit", "Accounts", "Admission", "OIDCBroker", "SignInWithApple", "OpenIDRelyingParty",
                "OpenIDConnect",
                "JOSE", "OIDCBrokerTesting", "FuzzingSupport", "TestingSupport",
                .product(name: "JWTKit", package: "jwt-kit"),
                .target(name: "AccountsSQLite", condition: .when(traits: ["SQLite"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        // The random sequences that run on every store of accounts.
        .target(
            name: "AccountsTestSupport",
            dependencies: [
                "Accounts", "OIDCBrokerTesting", "FuzzingSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/AccountsTestSupport", swiftSettings: settings),
        .testTarget(
            name: "AdmissionTests", dependencies: ["Admission", "FuzzingSupport"], swiftSettings: settings),
        .testTarget(
            name: "OIDCBrokerOperationsTests",
            dependencies: [
                "OIDCBrokerOperations", "Admission", "OIDCBroker", "OpenIDRelyingParty", "OpenIDConnect", "JOSE",
                "OIDCBrokerTesting", "FuzzingSupport", "TestingSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OpenIDConnectTests", dependencies: ["OpenIDConnect", "JOSE", "FuzzingSupport", "TestingSupport"],
            exclude: ["Fuzzing/Corpus"],
            swiftSettings: settings),
        .testTarget(
            name: "OpenIDRelyingPartyTests",
            dependencies: [
                "TestingSupport", "OpenIDRelyingPartyNIO", "OpenIDRelyingParty", "OpenIDConnect", "OIDCBrokerTesting",
                "JOSE",
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SignInWithAppleTests",
            dependencies: [
                "TestingSupport", "SignInWithApple", "OpenIDRelyingParty", "OpenIDConnect", "JOSE", "OIDCBrokerTesting",
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OIDCBrokerTests",
            dependencies: [
                "Admission", "OIDCBroker", "SignInWithApple", "OpenIDRelyingParty", "OpenIDConnect", "JOSE",
                "OIDCBrokerTesting",
                "FuzzingSupport",
                "TestingSupport",
                // For what real engines hold after a run.
                "OIDCBrokerValkey", .target(name: "OIDCBrokerPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
            ],
            exclude: ["Fuzzing/Corpus"],
            swiftSettings: settings),
        .testTarget(
            name: "OIDCBrokerNIOTests",
            dependencies: [
                "TestingSupport", "FuzzingSupport", "OIDCBrokerNIO", "Admission", "OIDCBroker", "OIDCBrokerTesting",
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OIDCBrokerValkeyTests",
            dependencies: [
                "OIDCBrokerValkey", "Admission", "OIDCBroker", "OIDCBrokerTesting", "OpenIDRelyingPartyNIO",
                "OpenIDRelyingParty",
                "JOSE", "FuzzingSupport", "TestingSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        // Empty without the trait `PostgreSQL`.
        .testTarget(
            name: "OIDCBrokerPostgreSQLTests",
            dependencies: [
                .target(name: "OIDCBrokerPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                "Admission", "OIDCBroker", "Accounts", "OIDCBrokerTesting", "OpenIDRelyingParty", "TestingSupport",
                "AccountsTestSupport", "FuzzingSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OIDCBrokerServerTests",
            dependencies: [
                "TestingSupport", "OIDCBrokerServer", "OIDCBrokerNIO", "Admission", "OIDCBroker", "OIDCBrokerTesting",
                "Accounts",
                "IdentityToolkit", "OIDCBrokerOperations", "FuzzingSupport",
                "OpenIDRelyingPartyNIO", "OpenIDRelyingParty", "SignInWithApple",
                "OpenIDConnect", "JOSE",
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "oidc-brokerTests",
            dependencies: [
                "TestingSupport", "FuzzingSupport", "AccountsTestSupport", "oidc-broker", "OIDCBrokerServer",
                "OIDCBrokerOperations", "SignInWithApple",
                "Admission", "OIDCBroker", "OIDCBrokerTesting", "OpenIDRelyingParty",
                "OpenIDConnect", "JOSE", "Accounts",
                .target(name: "AccountsSQLite", condition: .when(traits: ["SQLite"])),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
    ]
)

// A build of some test targets only, each whole or with the folders named: `TARGET,TARGET:FOLDER:FOLDER` (`.ci/run`).
if let names = Context.environment["TEST_TARGETS"] {
    var chosen: [String: [String]] = [:]
    for name in names.split(separator: ",") {
        let parts = name.split(separator: ":").map(String.init)
        if let target = parts.first { chosen[target] = Array(parts.dropFirst()) }
    }
    package.targets.removeAll { $0.type == .test && chosen[$0.name] == nil }
    for target in package.targets {
        if let folders = chosen[target.name], !folders.isEmpty { target.sources = folders }
    }
}
