// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import IdentityToolkit

/// UserInfo about a user whose ID token and access token an app brings (OpenID Connect Core 1.0 section 5.3).
struct NativeUserInfoTests {
    private static let accessToken = "access-token-of-ada"

    private let limiter = SwitchedLimiter()
    private let installation: ToolkitInstallation
    private let provider: TestProvider

    init() throws {
        var options = ToolkitInstallation.Options()
        options.hasUserInfo = true
        options.limiter = limiter
        installation = try ToolkitInstallation(options: options)
        provider = try #require(installation.providers["oidc.acme"])
        provider.behave { $0.announcesOptionalEndpoints = true }
        says(["sub": "ada", "locale": "en-GB"])
    }

    private func says(_ claims: JSONObject) {
        provider.behave { $0.changeUserInfo = { $0 = claims } }
    }

    private func token(_ subject: String = "ada", email: String? = nil, changes: JSONObject = [:]) throws -> String {
        var claims: JSONObject = ["at_hash": .string(TokenHash.leftHalf(of: Self.accessToken, algorithm: .es256))]
        for member in changes.members { claims[member.name] = member.value }
        return try installation.token(subject, email: email, changes: claims)
    }

    private func signIn(
        _ token: String, accessToken: String? = NativeUserInfoTests.accessToken, idToken: String? = nil
    ) async throws -> (status: Int, members: JSONObject) {
        try await installation.signIn(token, idToken: idToken, accessToken: accessToken)
    }

    private func profile(_ members: JSONObject) throws -> JSONObject {
        try JSONParser.object(
            Array(try #require(members.string("rawUserInfo"), "\(members.message ?? "")").utf8),
            limits: JSONLimits(maximumBytes: 1 << 20))
    }

    // MARK: What is added

    @Test func `what UserInfo says is added to the claims, and the access token is sent once`() async throws {
        says(["sub": "ada", "locale": "en-GB", "name": "Eve", "iss": "https://evil.example", "nonce": "another"])
        let (_, members) = try await signIn(try token(changes: ["name": "Ada"]))
        let profile = try profile(members)
        #expect(profile["locale"] == "en-GB" && profile["name"] == "Ada")
        #expect(profile["iss"] == "https://login.acme.example" && profile["nonce"] != "another")
        #expect(members.string("oauthAccessToken") == Self.accessToken)
        let request = try #require(provider.requests.first { $0.url.path == "/userinfo" })
        #expect(request.authorization == "Bearer " + Self.accessToken && provider.count("/userinfo") == 1)
    }

    @Test func `an address is proved by UserInfo alone, or by the ID token alone`() async throws {
        says(["sub": "ada", "email": "ada@example.com", "email_verified": true])
        let (_, proved) = try await signIn(try token())
        #expect(proved.string("email") == "ada@example.com" && proved["emailVerified"] == true)

        says(["sub": "eve", "email_verified": true])
        let address: JSONObject = ["email": "eve@example.com"]
        let (_, unproved) = try await signIn(try token("eve", changes: address))
        #expect(unproved.string("email") == "eve@example.com" && unproved["emailVerified"] == false)
        #expect(try profile(unproved)["email_verified"] == nil)
    }

    @Test func `a pending credential keeps what UserInfo said`() async throws {
        _ = try await signIn(try token())
        installation.clock.advance(by: 1)
        let (_, other) = try await installation.signIn(try installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
        let (_, conflict) = try await signIn(try token(), idToken: other.string("idToken"))
        let pending = try #require(conflict.string("pendingToken"), "\(conflict.message ?? "")")
        let (_, entered) = try await installation.signIn("", pendingToken: pending)
        #expect(try profile(entered)["locale"] == "en-GB")
    }

    @Test func `a profile too long to be kept pending is left out of the pending credential`() async throws {
        let long = String(repeating: "x", count: 30_000)
        says(["sub": "ada", "biography": .string(long)])
        let (_, owner) = try await signIn(try token())
        #expect(try profile(owner).string("biography") == long)
        installation.clock.advance(by: 1)
        let (_, other) = try await installation.signIn(try installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
        let (_, conflict) = try await signIn(try token(), idToken: other.string("idToken"))
        let pending = try #require(conflict.string("pendingToken"), "\(conflict.message ?? "")")
        let (status, entered) = try await installation.signIn("", pendingToken: pending)
        #expect(status == 200 && entered.string("localId") == owner.string("localId"))
        #expect(try profile(entered) == ["sub": "ada"])
    }

    // MARK: Where it is not asked

    @Test(arguments: ["another-access-token", nil]) func `no access token but the bound one is sent`(
        accessToken: String?
    ) async throws {
        let (status, members) = try await signIn(try token(), accessToken: accessToken)
        #expect(status == 200 && provider.count("/userinfo") == 0)
        #expect(try profile(members)["locale"] == nil && members["oauthAccessToken"] == nil)
    }

    @Test func `an ID token without the hash binds none`() async throws {
        let (status, _) = try await signIn(try token(changes: ["at_hash": .null]))
        #expect(status == 200 && provider.count("/userinfo") == 0)
    }

    @Test func `too many sign-ins do not make the provider answer`() async throws {
        limiter.refuse { operation in
            if case .signIn = operation { true } else { false }
        }
        let (_, members) = try await signIn(try token())
        #expect(members.message == ToolkitError.Code.tooManyAttempts.rawValue && provider.count("/userinfo") == 0)
    }

    @Test func `a token that is not valid does not make the provider answer`() async throws {
        let (status, _) = try await signIn(try token(changes: ["aud": "another-app"]))
        #expect(status == 400 && provider.count("/userinfo") == 0)
    }

    // MARK: What it must not be

    @Test func `UserInfo of another user signs no user in, and the ID token is still good`() async throws {
        let idToken = try token()
        says(["sub": "eve", "email": "eve@example.com", "email_verified": true])
        let (status, refused) = try await signIn(idToken)
        #expect(status == 400 && refused.message?.hasPrefix("INVALID_IDP_RESPONSE : UserInfo") == true)
        says(["sub": "ada"])
        let (_, entered) = try await signIn(idToken)
        #expect(entered["isNewUser"] == true)
    }

    @Test func `a provider without UserInfo for a while is a failure, which signs no user out`() async throws {
        let idToken = try token()
        provider.behave { $0.deadPaths = ["/userinfo"] }
        let (status, members) = try await signIn(idToken)
        #expect(status == 503 && members["error"] == nil)
        provider.behave { $0.deadPaths = [] }
        #expect(try await signIn(idToken).status == 200)
    }
}
