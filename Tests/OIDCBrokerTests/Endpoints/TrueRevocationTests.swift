// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// A revocation says 200 only where access is gone: providers that rotate refresh tokens, send no ID token, or fail.
struct TrueRevocationTests {
    /// A signed-in user of a public app with the provider's refresh token.
    private struct SignedIn {
        let installation: Installation
        let idToken: String
        let refreshToken: String

        init(hasUserInfo: Bool = true, _ behave: (inout TestProvider.Behavior) -> Void) throws {
            let installation = try Installation { $0.apps[0].upstreamTokens = true }
            self.installation = installation
            let issuer = installation.provider.issuer
            installation.provider.behave {
                $0.metadata["revocation_endpoint"] = .string(issuer + "/revoke")
                if hasUserInfo { $0.metadata["userinfo_endpoint"] = .string(issuer + "/userinfo") }
                behave(&$0)
            }
            var browser = Browser(installation)
            let app = AppClient.shop
            let code = try #require(try browser.signIn(app)["code"])
            let response = try installation.redeem(code, app).json()
            idToken = try #require(response["id_token"]?.text?.makeString())
            refreshToken = try #require(response["upstream"]?.objectValue?["refresh_token"]?.text?.makeString())
        }

        var provider: TestProvider { installation.provider }

        func revoke(_ token: String? = nil) throws -> (status: Int, error: String?, description: String) {
            var request = installation.tokenRequest([
                ("client_id", "shop"), ("id_token", idToken), ("token", token ?? refreshToken),
            ])
            request.path = "/__/auth/revoke"
            let response = try installation.respond(request)
            guard response.status != 200 else { return (200, nil, "") }
            let json = try response.json()
            return (
                response.status, json["error"]?.text?.makeString(),
                json["error_description"]?.text?.makeString() ?? ""
            )
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `the newest token is revoked, and the user is proved by the ID token or by UserInfo`(
        isRotating: Bool, sendsIDToken: Bool
    ) throws {
        let signedIn = try SignedIn {
            $0.rotatesRefreshTokens = isRotating
            $0.sendsIDTokenOnRefresh = sendsIDToken
        }
        #expect(try signedIn.revoke().status == 200)
        #expect(signedIn.provider.refreshTokens.isEmpty)
        #expect(signedIn.provider.count("/userinfo") == (sendsIDToken ? 0 : 1))
        #expect(signedIn.provider.count("/revoke") == 1)
    }

    @Test func `a token that is no longer valid is not called revoked`() throws {
        let signedIn = try SignedIn { $0.rotatesRefreshTokens = true }
        #expect(try signedIn.revoke().status == 200)
        let again = try signedIn.revoke()
        #expect(again.status == 400)
        #expect(again.error == "invalid_grant")
        #expect(again.description.contains("may still be valid"))
        #expect(signedIn.provider.count("/revoke") == 1)
    }

    @Test(arguments: [false, true])
    func `without an ID token and UserInfo that is said, and a token that no app has is revoked`(isRotating: Bool)
        throws
    {
        let signedIn = try SignedIn(hasUserInfo: false) {
            $0.rotatesRefreshTokens = isRotating
            $0.sendsIDTokenOnRefresh = false
        }
        let response = try signedIn.revoke()
        #expect(response.status == 400)
        #expect(response.error == "invalid_grant")
        #expect(response.description.contains("no UserInfo endpoint"))
        #expect(signedIn.provider.refreshTokens.isEmpty == isRotating)
        #expect(signedIn.provider.count("/revoke") == (isRotating ? 1 : 0))
    }

    @Test func `another user's token is left alone`() throws {
        let byIDToken = try SignedIn { _ in }
        byIDToken.provider.behave { $0.claims = ["sub": "grace-at-the-provider"] }
        let refused = try byIDToken.revoke()
        #expect(refused.status == 400)
        #expect(refused.description.contains("another user's"))
        #expect(byIDToken.provider.refreshTokens.count == 1)
        let byUserInfo = try SignedIn {
            $0.sendsIDTokenOnRefresh = false
            $0.responses["/userinfo"] = .json(["sub": "grace-at-the-provider"])
        }
        let response = try byUserInfo.revoke()
        #expect(response.status == 400)
        #expect(response.description.contains("UserInfo did not confirm"))
        #expect(byUserInfo.provider.refreshTokens.count == 1)
    }

    @Test(arguments: ["/token", "/userinfo", "/revoke"])
    func `where the provider is away it is 503`(path: String) throws {
        let signedIn = try SignedIn { $0.sendsIDTokenOnRefresh = false }
        signedIn.provider.behave { $0.deadPaths = [path] }
        let response = try signedIn.revoke()
        #expect(response.status == 503)
        #expect(response.error == "temporarily_unavailable")
        #expect(signedIn.provider.refreshTokens.count == 1)
        signedIn.provider.behave { $0.deadPaths = [] }
        signedIn.installation.clock.advance(by: 60)
        #expect(try signedIn.revoke().status == 200)
    }

    @Test(arguments: [(400, 500), (503, 503), (404, 400)])
    func `what the revocation endpoint does not do is not called done`(provider: Int, status: Int) throws {
        let signedIn = try SignedIn { $0.revocationStatus = provider }
        #expect(try signedIn.revoke().status == status)
        #expect(signedIn.provider.refreshTokens.count == 1)
    }

    @Test func `what follows from a refresh, without a provider`() throws {
        func grant(_ json: JSONObject) throws -> RefreshedGrant {
            RefreshedGrant(
                try RefreshResponse(status: 200, json: json.serialized()), of: Secret("old"))
        }
        let kept = try grant(["access_token": "a", "token_type": "Bearer"])
        let same = try grant(["access_token": "a", "token_type": "Bearer", "refresh_token": "old"])
        let rotated = try grant(["access_token": "a", "token_type": "Bearer", "refresh_token": "new"])
        for grant in [kept, same] {
            #expect(grant.step(after: .person, hasUserInfo: true) == .revoke(Secret("old")))
            #expect(grant.step(after: .unknown, hasUserInfo: true) == .askUserInfo(Secret("a")))
            #expect(
                grant.step(after: .unknown, hasUserInfo: false) == .refuse(.noIDTokenAndNoUserInfo, abandoning: nil))
            #expect(grant.step(afterUserInfo: nil) == .revoke(Secret("old")))
        }
        #expect(rotated.step(after: .person, hasUserInfo: false) == .revoke(Secret("new")))
        #expect(rotated.step(after: .otherPerson, hasUserInfo: true) == .refuse(.otherPerson, abandoning: nil))
        #expect(rotated.step(afterUserInfo: nil) == .revoke(Secret("new")))
        let away = RelyingPartyError.transport(.userInfo, .unreachable)
        #expect(rotated.step(afterUserInfo: away) == .refuse(.userInfoUnavailable, abandoning: Secret("new")))
        let refused = RelyingPartyError.status(.userInfo, 401)
        #expect(rotated.step(afterUserInfo: refused) == .refuse(.userInfoRefused, abandoning: Secret("new")))
    }
}
