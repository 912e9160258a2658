// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import JOSE
    import NIOCore
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerServer
    import OIDCBrokerTesting
    import OpenIDConnect
    import OpenIDRelyingParty
    import SignInWithAppleTesting
    import Testing
    import TestingSupport

    @testable import oidc_broker
    @testable import OIDCBrokerConfiguration

    /// `check-config --live` with real providers over sockets.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct LiveChecksTests {
        private static let secret = "client-secret-of-the-broker"

        struct Case: Sendable, CustomTestStringConvertible {
            let misbehavior: Misbehavior
            var secret = LiveChecksTests.secret
            let subject: LiveCheck.Subject
            let verdict: LiveCheck.Verdict
            let status: Int32

            var testDescription: String { "\(misbehavior), \(subject.rawValue)" }
        }

        static let cases: [Case] = [
            Case(misbehavior: .none, subject: .discovery, verdict: .ok, status: 0),
            Case(misbehavior: .none, subject: .client, verdict: .ok, status: 0),
            Case(misbehavior: .none, subject: .keys, verdict: .ok, status: 0),
            Case(misbehavior: .none, subject: .codeChallenge, verdict: .ok, status: 0),
            // The development provider does not say what time it is.
            Case(misbehavior: .none, subject: .clock, verdict: .unknown, status: 0),
            Case(misbehavior: .none, secret: "a-secret-of-nobody", subject: .client, verdict: .wrong, status: 78),
            Case(misbehavior: .issuerMismatch, subject: .discovery, verdict: .wrong, status: 78),
            Case(misbehavior: .missingTokenEndpoint, subject: .discovery, verdict: .wrong, status: 78),
            Case(misbehavior: .discoveryIsHTML, subject: .discovery, verdict: .wrong, status: 78),
            Case(misbehavior: .discoveryUnavailable, subject: .discovery, verdict: .unreachable, status: 69),
            Case(misbehavior: .omitsCodeChallengeMethods, subject: .codeChallenge, verdict: .unknown, status: 0),
            Case(misbehavior: .keySetUnavailable, subject: .keys, verdict: .unreachable, status: 69),
            Case(misbehavior: .tooManyKeys, subject: .keys, verdict: .wrong, status: 78),
            Case(misbehavior: .tokenEndpointUnavailable, subject: .client, verdict: .unreachable, status: 69),
            Case(misbehavior: .redirectFromTokenEndpoint, subject: .client, verdict: .unknown, status: 0),
            // For any client.
            Case(misbehavior: .errorFromTokenEndpoint, subject: .client, verdict: .unknown, status: 0),
        ]

        @Test(arguments: cases) func `what is wrong at a provider is found, by the check of its name`(
            one: Case
        ) async throws {
            let provider = try await Self.provider(one.misbehavior)
            let report = try await Self.report(Self.configuration(provider.issuer, secret: one.secret))
            try await provider.shutdown()
            #expect(report.checks.filter { $0.subject == one.subject }.map(\.verdict) == [one.verdict])
            #expect(report.status == one.status, "\(report.lines)")
            let text = report.lines.joined() + String(decoding: report.json, as: UTF8.self)
            #expect(!text.contains(one.secret))
        }

        @Test func `another issuer is shown`() async throws {
            let provider = try await Self.provider(.issuerMismatch)
            let report = try await Self.report(Self.configuration(provider.issuer))
            try await provider.shutdown()
            let check = try #require(report.checks.first { $0.subject == .discovery })
            #expect(check.found.contains("'\(provider.issuer)INVALID'"))
            #expect(check.advice?.contains("auth.provider.acme.issuer") == true)
        }

        @Test func `a provider with an internal and a public name is told of metadata-url`() async throws {
            var settings = OpenIDProvider.Configuration(clients: [.init(id: "broker", secret: Self.secret)])
            settings.issuerHost = "sso.example.com"
            let provider = try await OpenIDProvider.start(settings, on: MultiThreadedEventLoopGroup.singleton)
            let reached = "http://127.0.0.1:\(provider.port)"
            let report = try await Self.report(Self.configuration(reached))
            try await provider.shutdown()
            let check = try #require(report.checks.first { $0.subject == .discovery })
            #expect(check.verdict == .wrong)
            #expect(
                check.advice == "Set auth.provider.acme.issuer to '\(provider.issuer)', and metadata-url to "
                    + "'\(reached)/.well-known/openid-configuration', at which this server reaches it.")
            #expect(report.status == 78)
        }

        @Test func `keys that are skipped are named, each with its reason`() async throws {
            let provider = try await Self.provider(.oddKeys)
            let report = try await Self.report(Self.configuration(provider.issuer))
            try await provider.shutdown()
            let skipped = report.checks.filter { $0.subject == .skippedKey }
            #expect(skipped.count == 9)
            #expect(skipped.contains { $0.verdict == .wrong && $0.found.contains("private members published") })
            #expect(report.checks.first { $0.subject == .keys }?.verdict == .ok)
            #expect(report.status == 78)
        }

        @Test func `nothing is asked but metadata, keys, a pushed request, and a code that does not exist, by two`()
            async throws
        {
            let provider = try await Self.provider(.none)
            _ = try await Self.report(Self.configuration(provider.issuer))
            let requests = provider.recordedRequests()
            try await provider.shutdown()
            #expect(
                requests.map { "\($0.method) \($0.path)" }
                    == [
                        "GET /.well-known/openid-configuration", "GET /jwks", "POST /par", "POST /token", "POST /token",
                    ])
            #expect(requests.last?.parameter("grant_type") == "authorization_code")
            #expect(requests.last?.parameter("redirect_uri") == "http://localhost:1/__/auth/handler")
        }

        @Test func `a client that has a secret and authenticates by its key is compared with another client`()
            async throws
        {
            let pem = try SigningKey.generatePEM(.es256)
            let keys: JSONObject = ["keys": [.object(try SigningKey(pem: pem).publicJWK)]]
            var registered = OpenIDProvider.Client(id: "broker")
            registered.authentication = .privateKeyJWT
            registered.keySet = String(decoding: keys.serialized(), as: UTF8.self)
            var settings = OpenIDProvider.Configuration(clients: [registered])
            settings.announcedClientAuthentication = ["private_key_jwt", "client_secret_basic"]
            let provider = try await OpenIDProvider.start(settings, on: MultiThreadedEventLoopGroup.singleton)
            var configuration = try Self.configuration(provider.issuer)
            configuration.broker.providers[0].configuration.clientSigningKey = Secret(pem)
            let known = try await Self.report(configuration)
            provider.set(.errorFromTokenEndpoint)
            let notLookedAt = try await Self.report(configuration)
            try await provider.shutdown()
            #expect(known.checks.first { $0.subject == .client }?.verdict == .ok, "\(known.lines)")
            let check = try #require(notLookedAt.checks.first { $0.subject == .client })
            #expect(check.verdict == .unknown)
            #expect(check.found == "invalid_grant, and the same with a random client id")
        }

        @Test func `a method that is not announced is fine where the token endpoint accepts it`() async throws {
            var settings = OpenIDProvider.Configuration(clients: [.init(id: "broker", secret: Self.secret)])
            settings.announcedClientAuthentication = ["none"]
            let provider = try await OpenIDProvider.start(settings, on: MultiThreadedEventLoopGroup.singleton)
            var configuration = try Self.configuration(provider.issuer)
            configuration.broker.providers[0].configuration.clientAuthentication = .clientSecretPost
            for (misbehavior, verdict, status) in [(.none, .ok, 0), (.errorFromTokenEndpoint, .wrong, 78)]
                as [(Misbehavior, LiveCheck.Verdict, Int32)]
            {
                provider.set(misbehavior)
                let report = try await Self.report(configuration)
                let checks = report.checks.filter { $0.subject == .clientAuthentication }
                #expect(checks.map(\.verdict) == [verdict], "\(report.lines)")
                #expect(report.status == status, "\(report.lines)")
            }
            try await provider.shutdown()
        }

        @Test func `a second token request that fails tells nothing of the client`() async throws {
            let clock = TestClock()
            let provider = try TestProvider(
                issuer: "http://127.0.0.1:1", client: .init(id: "broker", secret: Self.secret), clock: clock)
            let broker = try Self.configuration(provider.issuer).broker
            let client = broker.relyingPartyConfiguration(of: broker.providers[0])
            let checks = await ProviderChecks(
                name: "acme", client: client, requiresIssuer: false,
                transport: AnswersOneTokenRequest(provider: provider),
                eventLoop: MultiThreadedEventLoopGroup.singleton.any(), clock: clock
            ).run()
            let check = try #require(checks.first { $0.subject == .client })
            #expect(check.verdict == .unknown)
            #expect(check.found.hasPrefix("invalid_grant, but with a random secret: "))
        }

        @Test func `the keys of an app at its URL are asked for`() async throws {
            let provider = try await Self.provider(.none)
            var configuration = try Self.configuration(provider.issuer)
            for (path, verdict, status) in [("/jwks", LiveCheck.Verdict.ok, Int32(0)), ("/token", .wrong, 78)] {
                var app = BrokerConfiguration.App(name: "back", redirectURIs: ["https://back.example/cb"])
                app.jwksURI = provider.issuer + path
                configuration.broker.apps = [app]
                let report = try await Self.report(configuration)
                let checks = report.checks.filter { $0.subject == .appKeys }
                #expect(checks.map(\.verdict) == [verdict], "\(report.lines)")
                #expect(report.status == status, "\(report.lines)")
            }
            try await provider.shutdown()
        }

        @Test func `when the client secret ends is told where the configuration says so`() async throws {
            let provider = try await Self.provider(.none)
            var configuration = try Self.configuration(provider.issuer)
            configuration.broker.providers.append(try Self.client("second", provider.issuer))
            configuration.broker.providers[0].callbackPath = "/acme/callback"
            configuration.broker.providers[0].clientSecretExpires = SystemUnixClock().now() + 10 * 86_400 + 3_600
            let report = try await Self.report(configuration)
            try await provider.shutdown()
            let checks = report.checks.filter { $0.subject == .clientSecret }
            #expect(checks.map(\.provider) == ["acme"])
            #expect(checks.first?.verdict == .unknown)
            #expect(checks.first?.found == "10 days left")
            #expect(
                report.lines.contains { $0.hasPrefix("unknown: acme client-secret: found 10 days left; expected ") })
            #expect(report.status == 0, "\(report.lines)")
        }

        #if SQLite
            @Test(
                arguments: [("", LiveCheck.Verdict.ok, 0), ("/missing", .wrong, 78)]
                    as [(String, LiveCheck.Verdict, Int32)])
            func `the database of accounts is a line`(missing: String, verdict: LiveCheck.Verdict, status: Int32)
                async throws
            {
                let provider = try await Self.provider(.none)
                var configuration = try Self.configuration(provider.issuer)
                let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(atPath: folder) }
                configuration.accounts = AccountsConfiguration(
                    projectID: "acme", database: "sqlite:\(folder)\(missing)/accounts.sqlite", apps: [])
                let report = try await Self.report(configuration)
                try await provider.shutdown()
                #expect(report.checks.filter { $0.subject == .accounts }.map(\.verdict) == [verdict])
                let path = "'\(folder)\(missing)/accounts.sqlite': "
                #expect(report.checks.contains { $0.found.hasPrefix(path) } == (verdict == .wrong))
                #expect(report.status == status, "\(report.lines)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            }
        #endif

        @Test func `the redirect URI to register is that of the provider`() async throws {
            let provider = try await Self.provider(.none)
            var configuration = try Self.configuration(provider.issuer)
            configuration.broker.providers[0].callbackPath = "/acme/callback"
            let report = try await Self.report(configuration)
            try await provider.shutdown()
            let check = report.checks.first { $0.subject == .redirectURI }
            #expect(check?.wanted == "http://localhost:1/acme/callback")
        }

        @Test func `a provider that is not there is unreachable, and the others are still checked`() async throws {
            let there = try await Self.provider(.none)
            // An address that no other test uses, so that no other test takes the port.
            var settings = OpenIDProvider.Configuration()
            settings.host = "127.0.0.83"
            let gone = try await OpenIDProvider.start(settings, on: MultiThreadedEventLoopGroup.singleton)
            try await gone.shutdown()
            var configuration = try Self.configuration(there.issuer)
            configuration.broker.providers.insert(try Self.client("gone", gone.issuer), at: 0)
            let report = try await Self.report(configuration)
            try await there.shutdown()
            #expect(report.checks.first { $0.provider == "gone" }?.verdict == .unreachable)
            #expect(report.checks.first { $0.provider == "acme" && $0.subject == .client }?.verdict == .ok)
            #expect(report.status == 69)
        }

        @Test func `the second provider on a path must announce iss`() async throws {
            var settings = OpenIDProvider.Configuration(clients: [.init(id: "broker", secret: Self.secret)])
            settings.announcesIssuer = false
            let provider = try await OpenIDProvider.start(settings, on: MultiThreadedEventLoopGroup.singleton)
            var configuration = try Self.configuration(provider.issuer)
            configuration.broker.providers.append(try Self.client("second", provider.issuer))
            let report = try await Self.report(configuration)
            try await provider.shutdown()
            #expect(
                report.checks.filter { $0.subject == .issuerParameter }.map(\.verdict) == [.ok, .wrong])
        }

        @Test func `certificates are those of the provider's hosts, and the days left are told`() async throws {
            let made = try DevelopmentCertificate.make(hosts: ["localhost"])
            var settings = OpenIDProvider.Configuration(
                clients: [.init(id: "broker", secret: Self.secret)], certificate: made)
            settings.issuerHost = "localhost"
            let provider = try await OpenIDProvider.start(settings, on: MultiThreadedEventLoopGroup.singleton)
            var configuration = try Self.configuration(provider.issuer)
            let unknown = try await Self.report(configuration)
            configuration.broker.providers[0].configuration.certificateAuthorities = Array(made.certificatePEM.utf8)
            let known = try await Self.report(configuration)
            try await provider.shutdown()
            let check = try #require(known.checks.first { $0.subject == .certificate })
            #expect(check.verdict == .ok)
            #expect(check.found.hasSuffix(" days left"))
            #expect(known.status == 0)
            #expect(unknown.checks.first { $0.subject == .discovery }?.verdict == .wrong)
            #expect(unknown.checks.first { $0.subject == .certificate }?.verdict == .wrong)
            #expect(unknown.status == 78)
        }

        /// How the client shows a certificate. `bound`: for access tokens alone, since the provider binds them to it.
        enum Certificate: CaseIterable { case none, bound, authenticates }

        @Test(arguments: Certificate.allCases)
        func `the host that is looked at is that of token requests, with a certificate another`(
            shown: Certificate
        ) async throws {
            let made = try DevelopmentCertificate.make(hosts: ["localhost"])
            let own = try DevelopmentCertificate.make(hosts: ["broker.example"])
            let authenticates = shown == .authenticates
            var registered = OpenIDProvider.Client(id: "broker", secret: authenticates ? nil : Self.secret)
            registered.authentication = authenticates ? .selfSignedTLSClientAuth : .clientSecretPost
            registered.certificatePEM = own.certificatePEM
            var settings = OpenIDProvider.Configuration(clients: [registered], certificate: made)
            settings.issuerHost = "localhost"
            settings.offersMutualTLS = true
            settings.announcedClientAuthentication = ["client_secret_post", "self_signed_tls_client_auth"]
            let provider = try await OpenIDProvider.start(settings, on: MultiThreadedEventLoopGroup.singleton)
            var client = try Self.client("acme", provider.issuer)
            client.configuration.certificateAuthorities = Array(made.certificatePEM.utf8)
            client.configuration.clientAuthentication = authenticates ? .selfSignedTLSClientAuth : .clientSecretPost
            if authenticates { client.configuration.clientSecret = nil }
            if shown != .none {
                client.configuration.clientCertificate = ClientCertificate(
                    certificateChain: Array(own.certificatePEM.utf8), privateKey: Secret(own.privateKeyPEM))
            }
            var configuration = try Self.configuration(provider.issuer)
            configuration.broker.providers = [client]
            let report = try await Self.report(configuration)
            try await provider.shutdown()
            let certificates = report.checks.filter { $0.subject == .certificate }
            // The aliases are at a port of their own.
            #expect(certificates.count == (shown == .none ? 1 : 2))
            #expect(certificates.allSatisfy { $0.verdict == .ok })
            #expect(report.checks.first { $0.subject == .client }?.verdict == .ok, "\(report.lines)")
            #expect(report.status == 0, "\(report.lines)")
        }

        @Test func `an expired certificate is said to be that`() async throws {
            let made = try DevelopmentCertificate.make(
                hosts: ["localhost"], now: SystemUnixClock().now() - 400 * 86_400)
            var settings = OpenIDProvider.Configuration(clients: [], certificate: made)
            settings.issuerHost = "localhost"
            let provider = try await OpenIDProvider.start(settings, on: MultiThreadedEventLoopGroup.singleton)
            var configuration = try Self.configuration(provider.issuer)
            configuration.broker.providers[0].configuration.certificateAuthorities = Array(made.certificatePEM.utf8)
            let report = try await Self.report(configuration)
            try await provider.shutdown()
            let check = try #require(report.checks.first { $0.subject == .certificate })
            #expect(check.verdict == .wrong)
            #expect(check.found.hasSuffix("expired 35 days ago"))
        }

        @Test func `our own certificate is compared with the host of the public URL`() async throws {
            let made = try DevelopmentCertificate.make(hosts: ["auth.example.com"])
            try await BrokerFile.use(issuer: "http://127.0.0.1:1") { file in
                let chain = try file.write("certificate.pem", Array(made.certificatePEM.utf8))
                let key = try file.write("key.pem", Array(made.privateKeyPEM.utf8))
                let cases: [(url: String, verdict: LiveCheck.Verdict)] = [
                    ("https://auth.example.com", .ok), ("https://a.example", .wrong),
                ]
                for (url, verdict) in cases {
                    let broker = BrokerConfiguration(
                        publicURL: try #require(PublicURL(url)), providers: [], apps: [])
                    let server = ServerConfiguration(tls: TLSFiles(certificateChain: chain, privateKey: key))
                    let report = try await Self.report(LoadedConfiguration(broker: broker, server: server))
                    #expect(report.checks.map(\.verdict) == [verdict])
                    #expect(report.checks.first?.provider == nil)
                }
            }
        }

        @Test func `Apple is asked with the secret that its key makes`() async throws {
            let key = MockApple.DeveloperKey.make(teamID: "ABCDE12345")
            let apple = try await MockApple.start(
                MockApple.Configuration(
                    clients: [.servicesID("com.example.web", teamID: key.teamID)], developerKeys: [key]),
                on: MultiThreadedEventLoopGroup.singleton)
            var provider = BrokerConfiguration.Provider.apple(
                clientID: "com.example.web", teamID: key.teamID, keyID: key.keyID, privateKey: key.privateKey)
            apple.takePlace(in: &provider)
            let configuration = LoadedConfiguration(
                broker: BrokerConfiguration(
                    publicURL: try #require(PublicURL("https://auth.example.com")), providers: [provider], apps: []),
                server: ServerConfiguration())
            let accepted = try await Self.report(configuration)
            apple.set(.refusesClientSecrets)
            let refused = try await Self.report(configuration)
            try await apple.shutdown()
            #expect(accepted.checks.first { $0.subject == .client }?.verdict == .ok)
            #expect(accepted.status == 0, "\(accepted.lines)")
            #expect(refused.checks.first { $0.subject == .client }?.verdict == .wrong)
            #expect(refused.status == 78)
        }

        // MARK: Support

        /// A provider whose token endpoint is gone after the first request.
        private struct AnswersOneTokenRequest: ProviderTransport {
            let provider: TestProvider

            func execute(
                _ request: ProviderRequest, on eventLoop: any EventLoop
            ) -> EventLoopFuture<ProviderResponse> {
                let response = provider.execute(request, on: eventLoop)
                if request.url.path == "/token" { provider.behave { $0.deadPaths = ["/token"] } }
                return response
            }
        }

        private static func provider(_ misbehavior: Misbehavior) async throws -> OpenIDProvider {
            try await OpenIDProvider.start(
                OpenIDProvider.Configuration(
                    clients: [.init(id: "broker", secret: secret)], misbehavior: misbehavior),
                on: MultiThreadedEventLoopGroup.singleton)
        }

        private static func client(
            _ name: String, _ issuer: String, secret: String = LiveChecksTests.secret
        ) throws -> BrokerConfiguration.Provider {
            var provider = BrokerConfiguration.Provider(
                name: name, issuer: issuer, clientID: "broker", clientSecret: Secret(secret))
            provider.configuration.insecureLoopbackIssuer = true
            return provider
        }

        private static func configuration(
            _ issuer: String, secret: String = LiveChecksTests.secret
        ) throws -> LoadedConfiguration {
            LoadedConfiguration(
                broker: BrokerConfiguration(
                    publicURL: try #require(PublicURL("http://localhost:1")),
                    providers: [try client("acme", issuer, secret: secret)], apps: []),
                server: ServerConfiguration())
        }

        private static func report(_ configuration: LoadedConfiguration) async throws -> LiveReport {
            LiveReport(
                checks: try await LiveChecks(configuration: configuration)
                    .run(on: MultiThreadedEventLoopGroup.singleton))
        }
    }
#endif
