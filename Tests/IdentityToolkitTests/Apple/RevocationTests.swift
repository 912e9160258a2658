// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit

/// The operation `revokeToken` with authorization codes, against the mock Apple.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct RevocationTests {
    private typealias Toolkit = AppleToolkit

    /// Longer than a sign-in counts as recent.
    private static let long: Int64 = 400

    @Test func `a grant is revoked by a code, and the account deleted at once, however old the sign-in is`()
        async throws
    {
        try await Toolkit.run { toolkit in
            let idToken = try await toolkit.session(of: toolkit.credential())
            toolkit.clock.advance(by: Self.long)
            let early = try await toolkit.delete(idToken: idToken)
            #expect(early.isError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN"))

            let code = try toolkit.credential().authorizationCode
            let revoked = try await toolkit.revoke(code, idToken: idToken)
            #expect(revoked.isEmptyObject, "\(revoked.message ?? "")")
            #expect(toolkit.apple.counts().revocations == 1)
            let exchange = try #require(toolkit.asked("/auth/token").first)
            #expect(exchange.parameter("client_id") == Toolkit.bundleID)
            #expect(exchange.parameter("redirect_uri") == nil)
            #expect(toolkit.store.contents.identities.first?.revokedAt == toolkit.clock.now())

            let deleted = try await toolkit.delete(idToken: idToken)
            #expect(deleted.status == 200, "\(deleted.message ?? "")")
            #expect(toolkit.store.contents.accounts.isEmpty)
        }
    }

    @Test func `the proof is that of the session that asks, and of no other one`() async throws {
        try await Toolkit.run { toolkit in
            let asking = try await toolkit.session(of: toolkit.credential())
            let other = try await toolkit.session(of: toolkit.credential())
            toolkit.clock.advance(by: Self.long)
            let code = try toolkit.credential().authorizationCode
            let revoked = try await toolkit.revoke(code, idToken: asking)
            #expect(revoked.isEmptyObject)
            let refused = try await toolkit.delete(idToken: other)
            #expect(refused.isError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN"))
            let deleted = try await toolkit.delete(idToken: asking)
            #expect(deleted.status == 200)
        }
    }

    @Test func `a repetition succeeds until the next sign-in, proves nothing and writes nothing`() async throws {
        try await Toolkit.run { toolkit in
            let idToken = try await toolkit.session(of: toolkit.credential())
            let code = try toolkit.credential().authorizationCode
            let revoked = try await toolkit.revoke(code, idToken: idToken)
            #expect(revoked.isEmptyObject)
            let contents = toolkit.store.contents
            toolkit.clock.advance(by: 10)
            let again = try await toolkit.revoke(code, idToken: idToken)
            #expect(again.isEmptyObject)
            #expect(toolkit.apple.counts().revocations == 1)
            #expect(toolkit.store.contents == contents)

            // From then on there is another grant, which the code does not revoke.
            _ = try await toolkit.session(of: toolkit.credential())
            let signedIn = toolkit.store.contents
            let used = try await toolkit.revoke(code, idToken: idToken)
            #expect(used.isError("INVALID_IDP_RESPONSE"))
            #expect(toolkit.store.contents == signedIn)
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: @Sendable (AppleToolkit) throws -> String
    }

    static let refusals = [
        Refused(
            testDescription: "another user's code",
            code: { try $0.credential(AppleToolkit.grace).authorizationCode }),
        Refused(
            testDescription: "another app's code",
            code: { try $0.credential(bundleID: AppleToolkit.otherBundleID).authorizationCode }),
        Refused(
            testDescription: "an expired code",
            code: {
                let code = try $0.credential().authorizationCode
                $0.clock.advance(by: 301)
                return code
            }),
        Refused(testDescription: "no code of Apple", code: { _ in "made-up" }),
    ]

    @Test(arguments: refusals) func `a code that is refused revokes, writes and proves nothing`(row: Refused)
        async throws
    {
        try await Toolkit.run { toolkit in
            let idToken = try await toolkit.session(of: toolkit.credential())
            let contents = toolkit.store.contents
            let refused = try await toolkit.revoke(row.code(toolkit), idToken: idToken)
            #expect(refused.isError("INVALID_IDP_RESPONSE"), "\(refused.message ?? "")")
            #expect(toolkit.apple.counts().revocations == 0)
            #expect(toolkit.store.contents == contents)
        }
    }

    @Test(arguments: [
        MockApple.Misbehavior.tokenEndpointUnavailable, .revocationUnavailable, .refusesClientSecrets,
    ])
    func `a failure is an empty 503 and writes nothing, and passes`(failure: MockApple.Misbehavior) async throws {
        try await Toolkit.run { toolkit in
            let idToken = try await toolkit.session(of: toolkit.credential())
            let contents = toolkit.store.contents
            toolkit.apple.set(failure)
            let code = try toolkit.credential().authorizationCode
            let down = try await toolkit.revoke(code, idToken: idToken)
            #expect(down.status == 503 && down.body.isEmpty)
            #expect(toolkit.store.contents == contents)

            toolkit.apple.set(.none)
            toolkit.clock.advance(by: 60)
            let fresh = try toolkit.credential().authorizationCode
            let revoked = try await toolkit.revoke(fresh, idToken: idToken)
            #expect(revoked.isEmptyObject, "\(revoked.message ?? "")")
            #expect(toolkit.apple.counts().revocations == 1)
        }
    }

    @Test func `of two bundle IDs the code goes with the one that the app names`() async throws {
        let options = Toolkit.Options(audiences: [Toolkit.bundleID, Toolkit.otherBundleID])
        try await Toolkit.run(options) { toolkit in
            let idToken = try await toolkit.session(of: toolkit.credential())
            let code = try toolkit.credential(bundleID: Toolkit.otherBundleID).authorizationCode
            for unnamed in [nil, "com.example.stranger"] {
                let refused = try await toolkit.revoke(code, idToken: idToken, bundleID: unnamed)
                #expect(refused.isError("OPERATION_NOT_ALLOWED"))
            }
            #expect(toolkit.asked("/auth/token").isEmpty)
            let revoked = try await toolkit.revoke(code, idToken: idToken, bundleID: Toolkit.otherBundleID)
            #expect(revoked.isEmptyObject, "\(revoked.message ?? "")")
            for path in ["/auth/token", "/auth/revoke"] {
                let clientIDs = toolkit.asked(path).compactMap { $0.parameter("client_id") }
                #expect(clientIDs == [Toolkit.otherBundleID])
            }
        }
    }

    @Test(arguments: [nil, "com.example.stranger"])
    func `the only bundle ID need not be named`(bundleID: String?) async throws {
        try await Toolkit.run { toolkit in
            let idToken = try await toolkit.session(of: toolkit.credential())
            let code = try toolkit.credential().authorizationCode
            let revoked = try await toolkit.revoke(code, idToken: idToken, bundleID: bundleID)
            #expect(revoked.isEmptyObject, "\(revoked.message ?? "")")
        }
    }

    @Test func `for a disabled account and an ended session nothing goes to Apple`() async throws {
        try await Toolkit.run { toolkit in
            let idToken = try await toolkit.session(of: toolkit.credential())
            let code = try toolkit.credential().authorizationCode
            let account = try #require(toolkit.store.contents.accounts.first).id
            let operations = toolkit.service.operations

            try toolkit.store.transact(.write) { try operations.setDisabled(true, account, in: $0) }
            let disabled = try await toolkit.revoke(code, idToken: idToken)
            #expect(disabled.isError("USER_DISABLED"))

            let now = toolkit.clock.now()
            try toolkit.store.transact(.write) { transaction in
                try operations.setDisabled(false, account, in: transaction)
                try operations.endSessions(of: account, in: transaction, now: now)
            }
            let ended = try await toolkit.revoke(code, idToken: idToken)
            #expect(ended.isError("TOKEN_EXPIRED"))
            #expect(toolkit.asked("/auth/token").isEmpty)
            #expect(toolkit.store.contents.identities.first?.revokedAt == nil)
        }
    }

    @Test func `an identity that was linked is revoked like the first one`() async throws {
        try await Toolkit.run { toolkit in
            let answer = try await toolkit.signIn(toolkit.otherPostBody("a"))
            let idToken = try #require(answer.members.string("idToken"))
            let code = try toolkit.credential().authorizationCode
            let none = try await toolkit.revoke(code, idToken: idToken)
            #expect(none.isError("INVALID_IDP_RESPONSE"))
            #expect(toolkit.asked("/auth/token").isEmpty)

            let linked = try await toolkit.signIn(Toolkit.postBody(toolkit.credential()), idToken: idToken)
            #expect(linked.status == 200)
            let revoked = try await toolkit.revoke(code, idToken: idToken)
            #expect(revoked.isEmptyObject, "\(revoked.message ?? "")")
            #expect(toolkit.store.contents.identities.count { $0.revokedAt != nil } == 1)
        }
    }

    @Test func `what cannot be revoked is said`() async throws {
        try await Toolkit.run { toolkit in
            let idToken = try await toolkit.session(of: toolkit.credential())
            let code = try toolkit.credential().authorizationCode
            let other = try await toolkit.revoke(code, idToken: idToken, at: Toolkit.otherProvider)
            #expect(other.isError("OPERATION_NOT_ALLOWED"))
            let unknown = try await toolkit.revoke(code, idToken: idToken, at: "oidc.none")
            #expect(unknown.message == "INVALID_PROVIDER_ID : Provider Id is not supported.")
            let refreshToken = try await toolkit.revoke(code, type: "REFRESH_TOKEN", idToken: idToken)
            #expect(refreshToken.isError("OPERATION_NOT_ALLOWED"))
            #expect(toolkit.asked("/auth/token").isEmpty)
        }
    }

    @Test func `without Apple's key nothing can be revoked`() async throws {
        try await Toolkit.run(Toolkit.Options(hasKey: false)) { toolkit in
            let idToken = try await toolkit.session(of: toolkit.credential())
            let code = try toolkit.credential().authorizationCode
            let refused = try await toolkit.revoke(code, idToken: idToken)
            #expect(refused.isError("OPERATION_NOT_ALLOWED"))
            #expect(toolkit.asked("/auth/token").isEmpty)
        }
    }
}
