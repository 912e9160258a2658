// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import IdentityToolkit
import JOSE
import OpenIDRelyingParty
import Signing
import StoreTesting
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// Accounts whose configuration changes while they are open.
struct AccountsReloadTests {
    /// Accounts, and the broker that they made.
    private struct Installation {
        let accounts: BrokerAccounts
        let broker: Broker
        var loaded: LoadedConfiguration
        var configuration: AccountsConfiguration

        var keyIDs: [String] { accounts.service.tokens.keys.all.map(\.keyID) }

        init(_ environment: [String: String] = SourcesFixture.environment(with: SourcesFixture.accounts)) async throws {
            loaded = try await SourcesFixture.load(environment: environment)
            configuration = try #require(loaded.accounts)
            accounts = try BrokerAccounts(
                configuration: configuration, broker: loaded.broker, store: ModelAccountStore(), logger: .quiet)
            broker = try accounts.makeBroker(
                configuration: loaded.broker, transport: StubTransport(), logger: .quiet)
        }

        func reload() throws {
            try accounts.reload(configuration, brokerConfiguration: loaded.broker, of: broker)
        }
    }

    private static func key() -> Secret { Secret(P256.Signing.PrivateKey().pemRepresentation) }

    @Test func `a key is added second, moved first, and the old one is dropped`() async throws {
        var installation = try await Installation()
        let old = installation.configuration.signingKeys[0]
        let oldID = installation.keyIDs[0]
        let new = Self.key()
        installation.configuration.signingKeys = [old, new]
        try installation.reload()
        #expect(installation.keyIDs.first == oldID && installation.keyIDs.count == 2)
        let newID = installation.keyIDs[1]
        installation.configuration.signingKeys = [new, old]
        try installation.reload()
        #expect(installation.keyIDs == [newID, oldID])
        installation.configuration.signingKeys = [new]
        try installation.reload()
        #expect(installation.keyIDs == [newID])
    }

    @Test func `a snapshot that was taken keeps its keys and its policy`() async throws {
        var installation = try await Installation()
        let service = installation.accounts.service
        installation.configuration.signingKeys = [Self.key()]
        installation.configuration.makesAccounts = false
        try installation.reload()
        #expect(service.tokens.keys.all.map(\.keyID) != installation.keyIDs)
        #expect(service.operations.policy.makesAccounts)
        #expect(!installation.accounts.service.operations.policy.makesAccounts)
    }

    @Test func `requests use the wire of the snapshot that they began with`() async throws {
        var installation = try await Installation()
        let (began, keyIDs) = (installation.broker.current, installation.keyIDs)
        installation.configuration.signingKeys = [Self.key()]
        installation.configuration.makesAccounts = false
        try installation.reload()
        let old = try #require(began.extensions.decider as? IdentityToolkit)
        #expect(old.service.tokens.keys.all.map(\.keyID) == keyIDs && old.service.operations.policy.makesAccounts)
        let new = try #require(installation.broker.current.extensions.decider as? IdentityToolkit)
        #expect(new.service.tokens.keys.all.map(\.keyID) == installation.keyIDs && installation.keyIDs != keyIDs)
        #expect(!new.service.operations.policy.makesAccounts)
    }

    @Test func `the apps of SDKs change together with the providers that they name`() async throws {
        var installation = try await Installation()
        var globex = installation.loaded.broker.providers[0]
        globex.name = "globex"
        globex.id = "oidc.globex"
        globex.configuration.issuer = "https://login.globex.example"
        globex.configuration.clientID = "broker-at-globex"
        globex.callbackPath = "/__/auth/globex"
        installation.loaded.broker.providers.append(globex)
        installation.configuration.apps[0].providers = ["globex"]
        installation.configuration.apps[0].nativeAudiences = [.init(provider: "globex", audience: "com.example.app")]
        try installation.reload()
        #expect(
            installation.broker.current.configuration.sdkAppAudiences
                == [.init(provider: "globex", audience: "com.example.app")])
    }

    @Test func `an error in either leaves both as they were`() async throws {
        let started = try await Installation()
        let (snapshot, keyIDs) = (started.broker.current, started.keyIDs)
        var wrongBroker = started
        wrongBroker.configuration.signingKeys = [Self.key()]
        wrongBroker.loaded.broker.apps[0].redirectURIs = []
        let error = #expect(throws: BrokerConfigurationError.self) { try wrongBroker.reload() }
        #expect(error?.errors.map(\.key) == ["auth.app.shop.redirect-uris"])
        var wrongAccounts = started
        wrongAccounts.configuration.sessionIdleDays = 0
        wrongAccounts.loaded.broker.pathPrefix = "/sign-in"
        let other = #expect(throws: BrokerConfigurationError.self) { try wrongAccounts.reload() }
        #expect(other?.errors.map(\.key) == ["auth.accounts.session-idle-days"])
        #expect(started.keyIDs == keyIDs)
        #expect(started.broker.current === snapshot)
        #expect(started.accounts.service.operations.policy.sessionIdleDays == 400)
    }

    @Test func `project and database stay as they are open`() async throws {
        var installation = try await Installation()
        installation.configuration.projectID = "other-people"
        installation.configuration.database = "sqlite:/elsewhere"
        let error = #expect(throws: BrokerConfigurationError.self) { try installation.reload() }
        #expect(error?.errors.map(\.key) == ["auth.accounts.project-id", "auth.accounts.database"])
    }

    @Test func `a key that was made on a loopback address is the same after a reload`() async throws {
        var accounts = SourcesFixture.accounts
        accounts["AUTH_ACCOUNTS_SIGNING_KEYS"] = nil
        accounts["AUTH_PUBLIC_URL"] = "http://localhost:8080"
        var installation = try await Installation(SourcesFixture.environment(with: accounts))
        let keyIDs = installation.keyIDs
        installation.configuration.sessionIdleDays = 30
        try installation.reload()
        #expect(installation.keyIDs == keyIDs)
        installation.configuration.signingKeys = [Self.key()]
        try installation.reload()
        #expect(installation.keyIDs != keyIDs)
    }
}
