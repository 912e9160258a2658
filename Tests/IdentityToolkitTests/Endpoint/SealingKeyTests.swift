// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration

/// Pending credentials, and the sealing keys of a broker whose configuration is reloaded.
struct SealingKeyTests {
    private static let old = Base64.encode([UInt8](repeating: 7, count: 32))
    private static let new = Base64.encode([UInt8](repeating: 8, count: 32))

    private let installation: ToolkitInstallation

    init() throws { installation = try ToolkitInstallation() }

    /// Gives the broker other keys, the newest first.
    private func reload(_ keys: [String]) throws {
        var configuration = installation.configuration
        configuration.sealingKeys = keys.map { Secret($0) }
        try installation.broker.reload(configuration)
    }

    /// A credential of a user that came back from an attempt to link it to the account of another one.
    private func pendingCredential() async throws -> String {
        installation.clock.advance(by: 1)
        _ = try await installation.signIn(try installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
        let (_, ada) = try await installation.signIn(try installation.token("ada"))
        installation.clock.advance(by: 1)
        let (_, inUse) = try await installation.signIn(
            try installation.token("bea", at: "oidc.bold"), at: "oidc.bold", idToken: ada.string("idToken"))
        return try #require(inUse.string("pendingToken"), "\(inUse.message ?? "")")
    }

    @Test func `what was sealed under a key that is gone does not open any more`() async throws {
        let pending = try await pendingCredential()
        try reload([Self.new])
        let (status, refused) = try await installation.signIn("", pendingToken: pending)
        #expect(status == 400 && refused.message == "INVALID_PENDING_TOKEN")
    }

    @Test func `a key that is no longer the newest opens, and the newest seals`() async throws {
        let first = try await pendingCredential()
        try reload([Self.new, Self.old])
        let (status, _) = try await installation.signIn("", pendingToken: first)
        #expect(status == 200)
        let second = try await pendingCredential()
        try reload([Self.new])
        let (later, _) = try await installation.signIn("", pendingToken: second)
        #expect(later == 200)
    }

    @Test func `a configuration that is refused changes no key`() async throws {
        let pending = try await pendingCredential()
        #expect(throws: BrokerConfigurationError.self) { try reload(["no key"]) }
        let (status, _) = try await installation.signIn("", pendingToken: pending)
        #expect(status == 200)
    }
}
