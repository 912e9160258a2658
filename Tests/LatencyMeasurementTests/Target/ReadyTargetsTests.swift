// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement
import Testing

/// The target files that are there for use.
@Suite struct ReadyTargetsTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Benchmarks/targets")

    private static func file(_ name: String) throws -> TargetFile {
        try TargetFile(json: Array(try Data(contentsOf: folder.appending(path: "\(name).json"))))
    }

    private static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    @Test func `each is a target file and has the name of its file`() throws {
        let names = try Self.names()
        #expect(names.contains("ours"))
        for name in names {
            let file = try Self.file(name)
            #expect(file.name == name)
        }
    }

    /// Targets of a table run at the same time, some of them more than once.
    @Test func `each listens where it is told to`() throws {
        for name in try Self.names() {
            let file = try Self.file(name)
            #expect(file.base.hasSuffix("://127.0.0.1:${PORT}"), "\(name)")
            let words = (file.launch ?? []) + Array((file.environment ?? [:]).values)
            #expect(words.contains { $0.contains("${PORT}") }, "\(name)")
        }
    }

    /// Hostile traffic over IPv6 has another address of the target.
    @Test func `the broker with its limits listens at the address that it is told`() throws {
        let file = try Self.file("hostile/ours-limited")
        #expect(file.name == "ours-limited")
        #expect(file.environment?["SERVER_HOST"] == "${ADDRESS}")
        for addresses in [ClientAddresses.ipv4, .ipv6] {
            var variables = TargetVariables()
            variables[.scheme] = "https"
            variables[.address] = addresses.target
            variables[.host] = addresses.targetHost
            variables[.port] = "4711"
            let base = try Template.expanded(file.base, fixed: variables.byName)
            #expect(base == "https://" + HostileTarget(port: 4711, addresses: addresses).host)
        }
    }

    /// The target file has the apps that hostile traffic signs in to, and the size of the store on which its bounds depend.
    @Test func `the broker with its limits has the apps that hostile traffic names, and the store that it counts by`()
        throws
    {
        let environment = try #require(try Self.file("hostile/ours-limited").accounts?.environment)
        #expect(environment["AUTH_STORE_BYTES"] == String(HostileInput.storeBytes))
        func start(_ input: HostileInput) throws -> URLParameters {
            guard case .send(let bytes) = input.script(for: HostileTarget(port: 4711)).steps.first else {
                Issue.record("it begins with something else")
                return URLParameters(of: "")
            }
            let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            return URLParameters(of: String(try #require(words.dropFirst().first)))
        }
        let device = try #require(try start(.unconfirmedResults)["redirect_uri"])
        let uris = environment["AUTH_APP_BENCH_REDIRECT_URIS"]?.split(separator: ",") ?? []
        #expect(uris.contains { $0 == device })
        let people = try start(.newAccounts)
        #expect(environment["AUTH_APPS"] == people["client_id"].map { "bench,\($0)" })
        #expect(people["redirect_uri"] == environment["AUTH_APP_PEOPLE_REDIRECT_URIS"])
        for input in [HostileInput.unclaimedResults, .sessionLookups] {
            let page = try start(input)
            #expect(page["apiKey"] == environment["AUTH_SDK_APP_PAGE_API_KEY"])
            #expect(page["redirectUrl"] == environment["AUTH_SDK_APP_PAGE_AUTHORIZED_DOMAINS"].map { "https://\($0)/" })
        }
    }

    /// What hostile traffic sends fits both, and a sign-in is verified alike.
    @Test func `a server that embeds the broker is signed in to as the executable is`() throws {
        let limited = try Self.file("hostile/ours-limited")
        let embedded = try Self.file("hostile/embedded")
        #expect(embedded.name == "embedded")
        #expect(embedded.base == "http://${HOST}:${PORT}")
        #expect(embedded.environment?["SERVER_HOST"] == "${ADDRESS}")
        #expect(embedded.environment?["SERVER_PORT"] == "${PORT}")
        // The example does neither TLS nor HTTP/2.
        #expect(embedded.tls == nil)
        #expect(embedded.http2 == nil)
        // The example has no receiver of logout tokens.
        #expect(embedded.eachProvider == limited.eachProvider?.filter { !$0.key.hasSuffix("_BACK_CHANNEL_LOGOUT") })
        #expect(embedded.authorizePrefix == limited.authorizePrefix)
        #expect(embedded.start == limited.start)
        #expect(embedded.callback == limited.callback)
        #expect(embedded.redeem == limited.redeem)
    }

    /// Each measurement of accounts has a database of its own.
    @Test func `ours keeps accounts in the folder of the launch, with the keys of the tool`() throws {
        let environment = try #require(try Self.file("ours").accounts?.environment)
        #expect(environment["AUTH_ACCOUNTS_DATABASE"]?.hasPrefix("sqlite:${SCRATCH}/") == true)
        #expect(environment["AUTH_ACCOUNTS_SIGNING_KEYS"] == "${ACCOUNT_KEYS}")
    }

    /// What the two say differs by the transport alone.
    @Test func `the other transport is measured as the default one is`() throws {
        let ours = try Self.file("ours")
        var other = try Self.file("ours-async-http-client")
        #expect(other.environment?["SERVER_PROVIDER_TRANSPORT"] == "async-http-client")
        other.environment?["SERVER_PROVIDER_TRANSPORT"] = nil
        other.name = ours.name
        other.notes = ours.notes
        #expect(other == ours)
    }
}
