// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages

/// The Swift call, for a server that deletes accounts itself.
@Suite struct BrokerRevocationTests {
    /// Not async: an embedded event loop stays on its thread.
    private static func setup() throws -> (broker: Broker, apple: StubApple, token: Secret, code: Secret) {
        let setup = try AppleSetup { $0.apps[1].upstreamTokens = true }
        let response = try setup.signIn(.back)
        let token = try #require(response["upstream"]?.objectValue?["refresh_token"]?.text?.makeString())
        return (
            setup.installation.broker, setup.apple, Secret(token), Secret(try setup.apple.credential().code)
        )
    }

    @Test(.attack(.foreignAppleRevocation)) func `a token and a code are revoked, a code only once`() async throws {
        let (broker, apple, token, code) = try Self.setup()
        let loop = NIOAsyncTestingEventLoop()
        for _ in 0..<2 { try await broker.revoke(token, provider: "apple", using: loop) }
        try await broker.revoke(
            authorizationCode: code, provider: "apple.com", audience: StubApple.bundleID, using: loop)
        let again = await #expect(throws: RelyingPartyError.self) {
            try await broker.revoke(
                authorizationCode: code, provider: "apple.com", audience: StubApple.bundleID, using: loop)
        }
        #expect("\(String(describing: again))".contains("may still be valid"))
        #expect(apple.counts.revocations == 2)
    }

    @Test(.attack(.foreignAppleRevocation)) func `whatever is in the way is said`() async throws {
        let (broker, apple, token, _) = try Self.setup()
        let loop = NIOAsyncTestingEventLoop()
        let unknown = await #expect(throws: RelyingPartyError.self) {
            try await broker.revoke(token, provider: "nobody", using: loop)
        }
        #expect(unknown?.isTemporary == false)
        apple.behave(.revocationUnavailable)
        let down = await #expect(throws: RelyingPartyError.self) {
            try await broker.revoke(token, provider: "apple", using: loop)
        }
        #expect(down?.isTemporary == true)
        #expect(apple.counts.revocations == 0)
    }

    /// A broker without a Services ID.
    private static func nativeOnly() throws -> (Broker, StubApple) {
        let setup = try AppleSetup { $0.providers[0].configuration.clientID = "" }
        return (setup.installation.broker, setup.apple)
    }

    @Test(.attack(.foreignAppleRevocation)) func `without a Services ID an audience is needed`() async throws {
        let (broker, apple) = try Self.nativeOnly()
        let loop = NIOAsyncTestingEventLoop()
        let error = await #expect(throws: RelyingPartyError.self) {
            try await broker.revoke(Secret("x"), provider: "apple", using: loop)
        }
        #expect("\(String(describing: error))".contains("client-id"))
        #expect(apple.paths == [])
        try await broker.revoke(Secret("x"), provider: "apple", audience: StubApple.bundleID, using: loop)
        #expect(apple.forms("/auth/revoke").first?["client_id"] == StubApple.bundleID)
    }
}
