// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit

/// Sign in with Apple over the wire, with what is Apple's own: the name that comes once, and relay addresses.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct NativeAppleTests {
    private typealias Toolkit = AppleToolkit

    @Test func `the name that comes with the first sign-in stays when the later ones have none`() async throws {
        try await Toolkit.run { toolkit in
            let credential = try toolkit.credential()
            try #require(credential.user != nil)
            let first = try await toolkit.signIn(Toolkit.postBody(credential)).members
            #expect(first["isNewUser"]?.boolValue == true)
            #expect(first.string("fullName") == "Ada Example" && first.string("displayName") == "Ada Example")
            #expect(first.string("firstName") == "Ada" && first.string("lastName") == "Example")
            #expect(first.string("email") == "ada@example.com")

            let later = try toolkit.credential()
            try #require(later.user == nil)
            let second = try await toolkit.signIn(Toolkit.postBody(later)).members
            #expect(second["isNewUser"] == nil && second.string("localId") == first.string("localId"))
            #expect(second.string("displayName") == "Ada Example")
            #expect(toolkit.store.contents.accounts.first?.displayName == "Ada Example")
        }
    }

    @Test func `a relay address is a proved address that links nothing`() async throws {
        try await Toolkit.run { toolkit in
            let answer = try await toolkit.signIn(Toolkit.postBody(toolkit.credential(Toolkit.grace))).members
            #expect(answer.string("email")?.hasSuffix("@privaterelay.appleid.com") == true)
            #expect(answer["emailVerified"]?.boolValue == true)
            let verified = try #require(toolkit.store.contents.identities.first).verified
            #expect(verified.isPrivateRelay && verified.provedEmail?.text == answer.string("email"))
            let claims = try #require(answer.string("rawUserInfo"))
            #expect(try WireSupport.object(Array(claims.utf8))["is_private_email"]?.boolValue == true)
        }
    }

    @Test func `an identity in use comes back as an updated credential, which signs in beside the stale ID token`()
        async throws
    {
        try await Toolkit.run { toolkit in
            let owner = try await toolkit.signIn(Toolkit.postBody(toolkit.credential())).members
            let other = try await toolkit.signIn(toolkit.otherPostBody("a")).members
            let idToken = try #require(other.string("idToken"))
            let credential = try toolkit.credential()
            let inUse = try await toolkit.signIn(Toolkit.postBody(credential), idToken: idToken)
            #expect(inUse.status == 200)
            #expect(inUse.members.string("errorMessage") == "FEDERATED_USER_ID_ALREADY_LINKED")
            #expect(inUse.members["idToken"] == nil && inUse.members["localId"] == nil)
            let pending = try #require(inUse.members.string("pendingToken"))

            // The SDK for Apple's systems sends both, and no longer the nonce.
            let stale = "providerId=apple.com&id_token=\(credential.idToken)"
            let entered = try await toolkit.signIn(stale, pendingToken: pending)
            #expect(entered.status == 200, "\(entered.message ?? "")")
            #expect(entered.members.string("localId") == owner.string("localId"))
            #expect(entered.members["isNewUser"] == nil && entered.members["pendingToken"] == nil)

            let again = try await toolkit.signIn(stale, pendingToken: pending)
            #expect(again.isError("INVALID_IDP_RESPONSE"))
            let replayed = try await toolkit.signIn(Toolkit.postBody(credential))
            #expect(replayed.isError("INVALID_IDP_RESPONSE"))
            #expect(toolkit.store.contents.accounts.count == 2)
        }
    }
}
