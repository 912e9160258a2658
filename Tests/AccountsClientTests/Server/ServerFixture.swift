// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import Foundation
    import Logging
    import NIOCore
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerServer
    import OIDCBrokerTesting
    import OpenIDRelyingParty
    import ServiceLifecycle
    import SignInWithAppleTesting
    import Testing
    import TestingSupport

    @testable import AccountsClient
    @testable import OIDCBrokerConfiguration

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A server with accounts over plain HTTP, the mock Apple, another provider, and apps that sign in; clock in the
    /// test's hand.
    struct ServerFixture: Sendable {
        static let apiKey = "ios-4f1c0000"
        static let bundleID = "com.example.shop"
        static let appID = "1:123:ios:abc"
        static let acmeID = "oidc.acme"

        private static let teamID = "TEAM123456"
        private static let servicesID = "com.example.web"
        /// The client IDs at the other provider: the server's and the app's.
        private static let (serverID, nativeID) = ("broker", "shop-at-acme")

        /// Shares the address, which is also that of ``adaAtAcme``.
        static let ada = MockApple.Person.mock[0]
        /// Hides it.
        static let grace = MockApple.Person.mock[1]
        static let adaAtAcme = OpenIDProvider.Person.mock[0]
        static let graceAtAcme = OpenIDProvider.Person.mock[1]

        let url: URL
        let apple: MockApple
        let acme: OpenIDProvider
        let accounts: BrokerAccounts
        let clock: TestClock

        private static var eventLoops: MultiThreadedEventLoopGroup { .singleton }

        // MARK: The device

        /// An app that is started.
        func client(
            _ storage: any SessionStorage = InMemorySessionStorage(), appID: String = ServerFixture.appID
        ) throws -> AccountClient {
            let clock = clock
            return AccountClient(
                server: try AccountServer(
                    url: url, apiKey: Self.apiKey, bundleID: Self.bundleID, appID: appID,
                    exchange: URLSessionExchange(configuration: .ephemeral)),
                storage: storage, now: { Date(timeIntervalSince1970: TimeInterval(clock.now())) })
        }

        /// What the system gives the app for a user, with the code.
        func appleSignIn(_ person: MockApple.Person = ServerFixture.ada) throws -> (
            credential: Credential, code: String
        ) {
            let native = try apple.nativeCredential(
                bundleID: Self.bundleID, rawNonce: UUID().uuidString, person: person)
            // The system gives the name where the web would.
            let name =
                native.user == nil
                ? nil : PersonNameComponents(givenName: person.givenName, familyName: person.familyName)
            let credential = Credential.apple(
                idToken: native.idToken, rawNonce: try #require(native.rawNonce), fullName: name)
            return (credential, native.authorizationCode)
        }

        func appleCredential(_ person: MockApple.Person = ServerFixture.ada) throws -> Credential {
            try appleSignIn(person).credential
        }

        /// What the other provider's SDK gives the app for a user.
        func acmeCredential(_ person: OpenIDProvider.Person = ServerFixture.graceAtAcme) throws -> Credential {
            let native = try acme.nativeCredential(
                clientID: Self.nativeID, rawNonce: UUID().uuidString, person: person)
            return .openID(
                providerID: Self.acmeID, idToken: native.idToken, rawNonce: native.rawNonce,
                accessToken: native.accessToken)
        }

        // MARK: The server's accounts

        /// The account of an identifier, with its identities; `nil` if there is none.
        func account(_ uid: String) async throws -> StoredAccount? {
            let id = try #require(AccountID(uid))
            return try await accounts.service.store.transact(.read, on: Self.eventLoops.any()) {
                transaction -> StoredAccount? in
                guard let account = try transaction.account(id) else { return nil }
                return StoredAccount(account: account, identities: try transaction.identities(of: id))
            }.get()
        }

        /// What the store has of an account.
        struct StoredAccount: Sendable {
            let account: Account
            let identities: [AccountIdentity]
        }

        /// The number of all accounts.
        func accountCount() async throws -> Int {
            try await accounts.service.store.transact(.read, on: Self.eventLoops.any()) { transaction in
                try transaction.accounts(after: nil, limit: 100).count
            }.get()
        }

        /// Disables an account, as an operator does.
        func disable(_ uid: String) async throws {
            let id = try #require(AccountID(uid))
            let operations = accounts.service.operations
            try await accounts.service.store.transact(.write, on: Self.eventLoops.any()) { transaction in
                try operations.setDisabled(true, id, in: transaction)
            }.get()
        }

        /// The account for which a server takes an ID token.
        func verified(_ idToken: String) throws -> String {
            try accounts.service.tokens.verify(idToken, now: clock.now()).account.text
        }

        // MARK: Start and stop

        /// Runs a body against all of it, then stops all of it.
        static func run(_ body: (ServerFixture) async throws -> Void) async throws {
            let clock = TestClock()
            let key = MockApple.DeveloperKey.make(teamID: teamID)
            let apple = try await MockApple.start(appleConfiguration(key, clock), on: eventLoops)
            try await attempt {
                let acme = try await OpenIDProvider.start(acmeConfiguration(clock), on: eventLoops)
                try await attempt {
                    try await serve(apple, key, acme, clock, body)
                } finally: {
                    try await acme.shutdown()
                }
            } finally: {
                try await apple.shutdown()
            }
        }

        private static func appleConfiguration(
            _ key: MockApple.DeveloperKey, _ clock: TestClock
        ) -> MockApple.Configuration {
            var configuration = MockApple.Configuration(
                clients: [.servicesID(servicesID, teamID: teamID), .bundleID(bundleID, teamID: teamID)],
                developerKeys: [key])
            configuration.signingAlgorithm = .es256
            configuration.clock = clock
            return configuration
        }

        private static func acmeConfiguration(_ clock: TestClock) -> OpenIDProvider.Configuration {
            var configuration = OpenIDProvider.Configuration(
                clients: [.init(id: serverID, secret: "secret"), .init(id: nativeID)], interaction: .automatic(1))
            configuration.clock = clock
            return configuration
        }

        /// The configuration of the broker, for a public URL.
        private static func brokerConfiguration(
            _ apple: MockApple, _ key: MockApple.DeveloperKey, _ acme: OpenIDProvider
        ) throws -> BrokerConfiguration {
            var appleProvider = BrokerConfiguration.Provider.apple(
                clientID: servicesID, teamID: key.teamID, keyID: key.keyID, privateKey: key.privateKey)
            apple.takePlace(in: &appleProvider)
            var acmeProvider = BrokerConfiguration.Provider(
                name: "acme", issuer: acme.issuer, clientID: serverID, clientSecret: Secret("secret"))
            acmeProvider.configuration.insecureLoopbackIssuer = true
            var configuration = BrokerConfiguration(
                publicURL: try #require(PublicURL("http://127.0.0.1:1")), providers: [appleProvider, acmeProvider],
                apps: [BrokerConfiguration.App(name: "shop", redirectURIs: ["https://shop.example/callback"])])
            configuration.makeMissingKeys()
            return configuration
        }

        private static func accountsConfiguration(database: String) -> AccountsConfiguration {
            var app = SDKAppConfiguration(name: "phone", kind: .ios, apiKey: apiKey)
            app.nativeAudiences = [
                .init(provider: "apple.com", audience: bundleID), .init(provider: acmeID, audience: nativeID),
            ]
            app.bundleID = bundleID
            app.googleAppID = appID
            return AccountsConfiguration(projectID: "acme-shop", database: "sqlite:" + database, apps: [app])
        }

        private static func serve(
            _ apple: MockApple, _ key: MockApple.DeveloperKey, _ acme: OpenIDProvider, _ clock: TestClock,
            _ body: (ServerFixture) async throws -> Void
        ) async throws {
            let directory = FileManager.default.temporaryDirectory.appending(
                path: "accounts-client-test-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            try await ServerConfiguration.defaultProviderTransport.withTransport(on: eventLoops) { transport in
                // The public URL has the port in it, which is known when the server listens.
                var configuration = try brokerConfiguration(apple, key, acme)
                let accounts = try BrokerAccounts(
                    configuration: accountsConfiguration(database: directory.path + "/accounts.sqlite"),
                    broker: configuration, clock: clock, elapsed: clock.elapsed, logger: logger)
                let broker = try accounts.makeBroker(
                    configuration: configuration, transport: transport, clock: clock, elapsed: clock.elapsed,
                    logger: logger)
                let server = try BrokerServer(
                    configuration: ServerConfiguration(port: 0), broker: broker, eventLoopGroup: eventLoops,
                    logger: logger)
                let services = ServiceGroup(
                    configuration: ServiceGroupConfiguration(services: [accounts, server], logger: logger))
                let running = Task { try await services.run() }
                try await attempt {
                    let address = try await server.boundAddress()
                    let origin = "http://127.0.0.1:\(try #require(address.port))"
                    configuration.publicURL = try #require(PublicURL(origin))
                    try broker.reload(configuration)
                    acme.allow(redirectURI: origin + "/__/auth/handler", forClient: serverID)
                    let fixture = ServerFixture(
                        url: try #require(URL(string: origin)), apple: apple, acme: acme, accounts: accounts,
                        clock: clock)
                    try await body(fixture)
                } finally: {
                    await services.triggerGracefulShutdown()
                    try await running.value
                }
            }
        }
    }
#endif
