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
        .library(name: "Accounts", targets: ["Accounts", "Signing"]),
        .library(name: "AccountsSQLite", targets: ["AccountsSQLite"]),
        .library(name: "AccountsClient", targets: ["AccountsClient"]),
        .library(
            name: "OIDCBroker",
            targets: ["OIDCBroker", "SingleUse", "OIDCBrokerConfiguration", "OIDCBrokerHTTP", "Admission", "Signing"]),
        .library(name: "OIDCBrokerNIO", targets: ["OIDCBrokerNIO"]),
        .library(name: "OIDCBrokerOperations", targets: ["OIDCBrokerOperations"]),
        .library(name: "OIDCBrokerServer", targets: ["OIDCBrokerServer"]),
        .library(name: "OIDCBrokerValkey", targets: ["OIDCBrokerValkey"]),
        .library(name: "OIDCBrokerPostgreSQL", targets: ["OIDCBrokerPostgreSQL"]),
        .library(name: "OIDCBrokerTesting", targets: ["OIDCBrokerTesting", "SignInWithAppleTesting", "StoreTesting"]),
        .executable(name: "oidc-broker", targets: ["oidc-broker"]),
        .executable(name: "oidc-broker-demo", targets: ["oidc-broker-demo"]),
        .executable(name: "callback-latency", targets: ["callback-latency"]),
        .executable(name: "callback-micro", targets: ["callback-micro"]),
    ],
    traits: [
        .trait(
            name: "Server", description: "Configuration from files and the command line, for the standalone server."),
        .trait(name: "SQLite", description: "The store of accounts on SQLite, for one process."),
        .trait(
            name: "PostgreSQL", description: "The stores that replicas share on PostgreSQL, with the system's libpq."),
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
        .target(name: "JOSE").depending(on: .crypto, .cryptoExtras),
        .target(name: "OpenIDConnect").depending(on: "JOSE"),

        // MARK: What the pipelines of clients and servers have in common.
        .target(name: "EventLoopTicks").depending(on: .nioCore),

        // MARK: The relying party.
        .target(name: "OpenIDRelyingParty").depending(
            on: "EventLoopTicks", "OpenIDConnect", .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .nioTLS, .x509, .swiftASN1,
            .asyncHTTPClient, .tracing, .logging),
        // The transport over connections of its own; `OpenIDRelyingParty` alone has the one over AsyncHTTPClient.
        .target(name: "OpenIDRelyingPartyNIO").depending(
            on: "OpenIDRelyingParty", .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .nioTLS),
        .target(name: "SignInWithApple").depending(on: "OpenIDRelyingParty", .nioCore, .swiftASN1, .metrics),

        // MARK: How often something may happen; pure.
        .target(name: "Admission"),

        // MARK: Who signs, and with what; for the broker and the accounts.
        .target(name: "Signing").depending(on: "JOSE", .nioCore),

        // MARK: The users who are kept, beside the broker.
        .target(name: "Accounts").depending(on: "OpenIDConnect", "Admission", "Signing", .nioCore),
        .target(name: "AccountsTransfer").depending(on: "Accounts", .nioCore),
        // Empty without the trait `SQLite`.
        .target(name: "AccountsSQLite").depending(on: "Accounts", .grdb, .nioCore, .nioPosix),

        // MARK: The accounts in an app, which links Foundation and nothing of this package.
        .target(name: "AccountsClient"),

        // MARK: What may be used once, and the stores of it.
        .target(name: "SingleUse").depending(on: "OpenIDConnect", "Admission", .nioCore, .tracing, .logging),

        // MARK: The broker. What depends on a module may import those below it as well, which come with it.
        // What an operator writes, read and validated.
        .target(name: "OIDCBrokerConfiguration").depending(
            on: "SignInWithApple", "SingleUse", "Signing", .configuration, .crypto, .metrics),
        // What a user sees. A page knows no request.
        .target(name: "OIDCBrokerPages").depending(on: "OIDCBrokerConfiguration", .httpTypes),
        // Requests and responses as values.
        .target(name: "OIDCBrokerHTTP").depending(
            on: "OIDCBrokerPages", .httpTypes, .rawStructuredFieldValues, .nioCore, .tracing, .logging),
        // How a sign-in ended: what is logged, audited and counted of it.
        .target(name: "OIDCBrokerRecords").depending(on: "OIDCBrokerPages", .httpTypes, .nioCore, .logging, .metrics),
        // What a login leaves with the browser, the store and the app, and how it is sealed or signed.
        .target(name: "OIDCBrokerState").depending(on: "OIDCBrokerHTTP", .httpTypes),
        // The flows of a sign-in.
        .target(name: "OIDCBroker").depending(
            on: "OIDCBrokerRecords", "OIDCBrokerState", .crypto, .nioCore, .httpTypes, .rawStructuredFieldValues,
            .configuration, .tracing, .logging, .metrics),
        .target(name: "OIDCBrokerNIO").depending(
            on: "OIDCBroker", .nioCore, .nioHTTP1, .nioHTTPTypes, .nioHTTPTypesHTTP1, .nioHTTPTypesHTTP2, .httpTypes,
            .nioHTTP2, .nioHPACK, .tracing, .logging),
        // What an operator sees: metrics text, health, log and audit, and what systemd is told. Also what a broker in
        // another server does in the background.
        .target(name: "OIDCBrokerOperations").depending(
            on: "OIDCBroker", .crypto, .nioCore, .nioPosix, .nioHTTP1, .logging, .metrics, .serviceLifecycle),
        // The store that replicas share, on Valkey or Redis.
        .target(name: "OIDCBrokerValkey").depending(
            on: "SingleUse", "OpenIDRelyingPartyNIO", .nioCore, .nioPosix, .nioSSL, .logging),
        // The system's library of PostgreSQL, for the trait `PostgreSQL` only.
        .systemLibrary(name: "CLibPQ", path: "Sources/CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        // The same on PostgreSQL. Empty without the trait `PostgreSQL`.
        .target(name: "OIDCBrokerPostgreSQL").depending(
            on: "SingleUse", "Accounts", "OpenIDRelyingParty", .cLibPQ, .nioConcurrencyHelpers, .nioCore, .nioPosix,
            .logging),
        .target(name: "OIDCBrokerServer").depending(
            on: .oidcBrokerPostgreSQL, "OIDCBrokerOperations", "OIDCBrokerValkey", "OIDCBrokerNIO", "IdentityToolkit",
            .accountsSQLite, .nioCore, .nioPosix, .nioHTTP1, .nioTLS, .nioSSL, .nioHTTP2, .nioHPACK, .nioExtras,
            .nioHTTPTypesHTTP2, .nioCertificateReloading, .serviceLifecycle, .unixSignals, .configuration,
            .asyncHTTPClient, .httpTypes, .x509, .metrics, .crypto, .tracing, .logging, .yams),

        // The wire of the Firebase SDKs, above accounts and the broker.
        .target(name: "IdentityToolkit").depending(
            on: "AccountsTransfer", "OIDCBroker", .crypto, .cryptoExtras, .httpTypes, .nioCore, .x509, .swiftASN1),

        // MARK: Test support: a public product, and the browser of the demo, the tests and the benchmark.
        .target(name: "OIDCBrokerTesting").depending(
            on: "OIDCBrokerPages", .crypto, .cryptoExtras, .nioCore, .nioPosix, .nioHTTP1, .nioSSL, .x509, .swiftASN1),
        .target(name: "SignInWithAppleTesting").depending(
            on: "OIDCBrokerTesting", .asyncHTTPClient, .crypto, .nioCore, .nioHTTP1, .nioSSL),
        .target(name: "StoreTesting").depending(on: "Accounts", "SingleUse", .nioCore),
        .target(name: "BrowserTesting").depending(
            on: "JOSE", "OpenIDConnect", .asyncHTTPClient, .nioCore, .nioHTTP1, .nioPosix, .nioSSL),

        // MARK: Executables.
        .executableTarget(
            name: "oidc-broker",
            // Swift exports every symbol of an executable on Linux, without use here: 5 MB that the loader reads.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(platforms: [.linux]))]
        ).depending(
            on: "OIDCBrokerServer", "AccountsTransfer", .oidcBrokerPostgreSQL, .accountsSQLite, .argumentParser,
            .asyncHTTPClient, .logging, .metrics, .nioCore, .nioPosix, .nioHTTP1, .nioSSL, .serviceLifecycle,
            .unixSignals),
        // The broker with a provider and an app to try it with; no operator runs it.
        .executableTarget(name: "oidc-broker-demo").depending(
            on: "OIDCBrokerServer", "SignInWithAppleTesting", "BrowserTesting", .argumentParser, .x509, .swiftASN1,
            .crypto, .asyncHTTPClient, .configuration, .httpTypes, .logging, .nioConcurrencyHelpers, .nioCore,
            .nioPosix, .nioHTTP1, .nioSSL, .serviceLifecycle, .unixSignals),
        // What the latency tool measures and reports with, without the network.
        .target(name: "LatencyMeasurement", path: "Benchmarks/LatencyMeasurement").depending(on: "BrowserTesting"),
        .executableTarget(name: "callback-latency", path: "Benchmarks/callback-latency").depending(
            on: "LatencyMeasurement", "OIDCBrokerServer", "OIDCBrokerTesting", .metrics, .tracing, .argumentParser,
            .crypto, .nioCore, .nioPosix, .nioHTTP1, .nioTLS, .nioSSL, .nioHTTP2, .nioHPACK, .logging,
            .serviceLifecycle, .unixSignals),
        .executableTarget(name: "callback-micro", path: "Benchmarks/micro").depending(
            on: "OIDCBrokerServer", "OIDCBrokerTesting", .httpTypes, .logging, .nioCore, .nioEmbedded, .nioHTTP1,
            .nioHPACK, .nioSSL),
        // What a hostile token costs, by its length; for callgrind.
        .executableTarget(name: "hostile-token", path: "Benchmarks/hostile-token").depending(on: "JOSE"),
        // The worst inputs of every kind, while one more user signs in; starts callback-latency and oidc-broker.
        .executableTarget(name: "hostile-traffic", path: "Benchmarks/hostile-traffic").depending(
            on: "LatencyMeasurement", .argumentParser, .nioCore, .nioPosix, .nioTLS, .nioSSL),
        .executableTarget(name: "embedded-server", path: "Examples/embedded-server").depending(
            on: "ExampleSite", "OIDCBrokerNIO", .configuration, .httpTypes, .nioCore, .nioPosix, .nioHTTP1, .logging),
        .target(name: "ExampleSite", path: "Examples/ExampleSite").depending(
            on: "OIDCBroker", .httpTypes, .nioCore, .nioHTTP1),
        .target(name: "ExampleServing", path: "Examples/ExampleServing").depending(
            on: "ExampleSite", "OIDCBrokerOperations", .configuration, .logging, .metrics, .nioCore, .nioPosix, .nioSSL,
            .nioHTTP2, .serviceLifecycle, .unixSignals),
        .executableTarget(name: "embedded-tls-server", path: "Examples/embedded-tls-server").depending(
            on: "ExampleServing", "OIDCBrokerNIO", .nioCore, .nioPosix, .nioSSL, .nioHTTP2, .nioExtras,
            .serviceLifecycle),
        .executableTarget(name: "async-server", path: "Examples/async-server").depending(
            on: "ExampleServing", "OIDCBrokerNIO", .httpTypes, .logging, .nioCore, .nioPosix, .nioSSL, .nioHTTP2,
            .nioExtras, .nioHTTPTypes, .nioHTTPTypesHTTP1, .nioHTTPTypesHTTP2, .serviceLifecycle),
        // Without the trait `Examples` it only says how to build it.
        .executableTarget(name: "hummingbird-server", path: "Examples/hummingbird-server").depending(
            on: "ExampleServing", "OIDCBrokerNIO", .hummingbird, .hummingbirdCore, .hummingbirdHTTP2, .httpTypes,
            .logging, .nioCore, .nioSSL, .serviceLifecycle),

        // MARK: Tests.
        .testTarget(name: "ExamplesTests").depending(
            on: "TestingSupport", "embedded-tls-server", "async-server", "hummingbird-server", .asyncHTTPClient,
            .logging, .metricsTestKit, .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .serviceLifecycle),
        .target(name: "FuzzingSupport", path: "Tests/FuzzingSupport"),
        // What several test targets use: a provider in memory, recorders, the list of attacks, and turns at sockets.
        .target(name: "TestingSupport", path: "Tests/TestingSupport").depending(
            on: "OIDCBroker", "SignInWithAppleTesting", "StoreTesting", "BrowserTesting", .asyncHTTPClient,
            .configuration, .crypto, .logging, .nioCore, .nioHTTP1, .nioPosix, .nioSSL),
        .testTarget(name: "JOSETests", exclude: ["Fuzzing/Corpus"]).depending(
            on: "FuzzingSupport", "TestingSupport", .jwtKit, .crypto, .cryptoExtras),
        .testTarget(name: "LatencyMeasurementTests").depending(on: "LatencyMeasurement"),
        .testTarget(name: "AccountsTests").depending(on: "AccountsTestSupport", .jwtKit, .nioCore, .nioPosix),
        .testTarget(name: "AccountsTransferTests").depending(on: "AccountsTransfer", "AccountsTestSupport"),
        .testTarget(name: "AccountsSQLiteTests").depending(
            on: "AccountsSQLite", "AccountsTestSupport", .grdb, .nioCore, .nioPosix),
        .testTarget(name: "AccountsClientTests").depending(
            on: "AccountsClient", "OIDCBrokerServer", "TestingSupport", .asyncHTTPClient, .nioCore, .nioPosix, .logging,
            .serviceLifecycle),
        .testTarget(name: "IdentityToolkitTests").depending(
            on: "IdentityToolkit", "FuzzingSupport", "TestingSupport", .jwtKit, .accountsSQLite, .httpTypes, .logging,
            .metrics, .metricsTestKit, .nioCore, .nioPosix, .x509, .swiftASN1, .crypto, .cryptoExtras),
        // The random sequences that run on every store of accounts.
        .target(name: "AccountsTestSupport", path: "Tests/AccountsTestSupport").depending(
            on: "OIDCBrokerTesting", "StoreTesting", "FuzzingSupport", .nioCore, .nioPosix),
        .testTarget(name: "AdmissionTests").depending(on: "Admission", "FuzzingSupport"),
        .testTarget(name: "OIDCBrokerOperationsTests").depending(
            on: "OIDCBrokerOperations", "FuzzingSupport", "TestingSupport", .httpTypes, .logging, .metrics,
            .metricsTestKit, .nioConcurrencyHelpers, .nioCore, .nioHTTP1, .nioPosix, .serviceLifecycle),
        .testTarget(name: "OpenIDConnectTests", exclude: ["Fuzzing/Corpus"]).depending(
            on: "FuzzingSupport", "TestingSupport"),
        .testTarget(name: "OpenIDRelyingPartyTests").depending(
            on: "TestingSupport", "OpenIDRelyingPartyNIO", .inMemoryTracing, .tracing, .nioCore, .nioEmbedded,
            .nioHTTP1, .nioPosix, .nioSSL, .asyncHTTPClient, .logging),
        .testTarget(name: "SignInWithAppleTests").depending(
            on: "TestingSupport", .jwtKit, .crypto, .cryptoExtras, .asyncHTTPClient, .nioCore, .nioHTTP1, .nioPosix),
        .testTarget(name: "OIDCBrokerConfigurationTests").depending(on: "TestingSupport", .configuration, .crypto),
        .testTarget(name: "OIDCBrokerPagesTests").depending(on: "OIDCBrokerPages", .crypto, .httpTypes),
        .testTarget(name: "OIDCBrokerHTTPTests").depending(on: "TestingSupport", .crypto, .httpTypes),
        .testTarget(name: "OIDCBrokerTests", exclude: ["Fuzzing/Corpus"]).depending(
            on: "FuzzingSupport", "TestingSupport", "OIDCBrokerValkey", .oidcBrokerPostgreSQL, .jwtKit, .crypto,
            .configuration, .httpTypes, .metrics, .metricsTestKit, .inMemoryTracing, .tracing, .nioCore, .nioEmbedded,
            .nioPosix, .logging, .rawStructuredFieldValues),
        .testTarget(name: "OIDCBrokerNIOTests").depending(
            on: "TestingSupport", "FuzzingSupport", "OIDCBrokerNIO", .metricsTestKit, .inMemoryTracing, .tracing,
            .nioCore, .nioEmbedded, .nioHTTP1, .nioHTTP2, .nioHPACK, .nioHTTPTypes, .nioHTTPTypesHTTP1,
            .nioHTTPTypesHTTP2, .nioExtras, .httpTypes, .logging),
        .testTarget(name: "OIDCBrokerValkeyTests").depending(
            on: "OIDCBrokerValkey", "FuzzingSupport", "TestingSupport", .logging, .nioCore, .nioEmbedded, .nioPosix,
            .nioSSL),
        // Empty without the trait `PostgreSQL`.
        .testTarget(name: "OIDCBrokerPostgreSQLTests").depending(
            on: .oidcBrokerPostgreSQL, "TestingSupport", "AccountsTestSupport", .logging, .nioCore, .nioPosix),
        .testTarget(name: "OIDCBrokerServerTests").depending(
            on: "TestingSupport", "OIDCBrokerServer", "FuzzingSupport", .jwtKit, .asyncHTTPClient, .configuration,
            .httpTypes, .inMemoryTracing, .tracing, .nioCore, .nioPosix, .nioHTTP1, .nioHTTP2, .nioHPACK,
            .nioHTTPTypesHTTP2, .nioSSL, .nioEmbedded, .serviceLifecycle, .x509, .swiftASN1, .crypto, .logging,
            .metrics, .metricsTestKit),
        .testTarget(name: "oidc-brokerTests").depending(
            on: "TestingSupport", "AccountsTestSupport", "oidc-broker", "oidc-broker-demo", .accountsSQLite,
            .asyncHTTPClient, .crypto, .nioConcurrencyHelpers, .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
            .serviceLifecycle, .x509, .swiftASN1, .logging),
    ]
)

// A system library has no Swift code.
for target in package.targets where target.type != .system { target.swiftSettings = settings }

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

extension Target {
    /// Sets what the target depends on, without the lines that swift format gives to the brackets of an array.
    func depending(on dependencies: Dependency...) -> Target {
        self.dependencies = dependencies
        return self
    }
}

/// The products of other packages by the names of their modules, in the order of the packages above.
extension Target.Dependency {
    static let nioConcurrencyHelpers = product(name: "NIOConcurrencyHelpers", package: "swift-nio")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
    static let nioTLS = product(name: "NIOTLS", package: "swift-nio")
    static let nioHPACK = product(name: "NIOHPACK", package: "swift-nio-http2")
    static let nioHTTP2 = product(name: "NIOHTTP2", package: "swift-nio-http2")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let nioCertificateReloading = product(name: "NIOCertificateReloading", package: "swift-nio-extras")
    static let nioExtras = product(name: "NIOExtras", package: "swift-nio-extras")
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioHTTPTypesHTTP1 = product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
    static let nioHTTPTypesHTTP2 = product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
    static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
    static let rawStructuredFieldValues = product(
        name: "RawStructuredFieldValues", package: "swift-http-structured-headers")
    static let configuration = product(name: "Configuration", package: "swift-configuration")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
    static let x509 = product(name: "X509", package: "swift-certificates")
    static let swiftASN1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let logging = product(name: "Logging", package: "swift-log")
    static let metrics = product(name: "Metrics", package: "swift-metrics")
    static let metricsTestKit = product(name: "MetricsTestKit", package: "swift-metrics")
    static let inMemoryTracing = product(name: "InMemoryTracing", package: "swift-distributed-tracing")
    static let tracing = product(name: "Tracing", package: "swift-distributed-tracing")
    static let serviceLifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let yams = product(name: "Yams", package: "Yams", condition: .when(traits: ["Server"]))
    static let grdb = product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
    static let hummingbird = product(
        name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Examples"]))
    static let hummingbirdCore = product(
        name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Examples"]))
    static let hummingbirdHTTP2 = product(
        name: "HummingbirdHTTP2", package: "hummingbird", condition: .when(traits: ["Examples"]))
    static let jwtKit = product(name: "JWTKit", package: "jwt-kit")
}

/// Targets of this package, where only a trait makes them a dependency.
extension Target.Dependency {
    static let accountsSQLite = target(name: "AccountsSQLite", condition: .when(traits: ["SQLite"]))
    static let cLibPQ = target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"]))
    static let oidcBrokerPostgreSQL = target(name: "OIDCBrokerPostgreSQL", condition: .when(traits: ["PostgreSQL"]))
}
