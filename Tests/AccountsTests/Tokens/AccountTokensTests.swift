// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import Signing
import Testing

/// What is in the token of an account, who verifies it, and until when.
struct AccountTokensTests {
    private static let now = AccountTokenFixture.now

    @Test func `a token has exactly these claims`() throws {
        let fixture = try AccountTokenFixture()
        let (header, claims) = try AccountTokenFixture.parts(of: fixture.sign())
        let expectedHeader: JSONObject = ["alg": "ES256", "typ": "JWT", "kid": .string(fixture.key.keyID)]
        let expectedClaims = try AccountTokenFixture.object(
            """
            {"iss":"https://auth.example/__/auth/accounts","aud":"shop-test","sub":"ada-account",
            "user_id":"ada-account","iat":1789999995,"exp":1790003600,"auth_time":1789999900,
            "sid":"BwAAAAAAAAAAAAAAAAAAAA","email":"Ada@Example.com","email_verified":true,"name":"Ada",
            "picture":"https://example.com/ada.png","role":"admin","level":3,
            "firebase":{"identities":{"apple.com":["001.ada"],"google.com":["108"],"email":["Ada@Example.com"]},
            "sign_in_provider":"apple.com"}}
            """)
        #expect(header == expectedHeader)
        #expect(claims == expectedClaims)
    }

    @Test func `what an account does not have is left out`() throws {
        var fixture = try AccountTokenFixture()
        fixture.account = Account(id: fixture.account.id, createdAt: Self.now)
        fixture.identities = [fixture.identities[1]]
        let token = try fixture.sign()
        let expected = try AccountTokenFixture.object(
            """
            {"iss":"https://auth.example/__/auth/accounts","aud":"shop-test","sub":"ada-account",
            "user_id":"ada-account","iat":1790000000,"exp":1790003600,"auth_time":1789999900,
            "sid":"BwAAAAAAAAAAAAAAAAAAAA",
            "firebase":{"identities":{"google.com":["108"]},"sign_in_provider":"apple.com"}}
            """)
        #expect(try AccountTokenFixture.parts(of: token).claims == expected)
        let verified = try fixture.tokens.verify(token, now: Self.now)
        #expect(verified.email == nil)
        #expect(!verified.isEmailVerified)
        #expect(verified.displayName == nil)
        #expect(verified.photoURL == nil)
        #expect(verified.customClaims == nil)
    }

    @Test(arguments: [(0, 5), (2, 3), (5, 0), (30, 0)] as [(ended: Int64, allowance: Int64)])
    func `a token is issued five seconds back, but not before its account's sessions were ended`(
        ended: Int64, allowance: Int64
    ) throws {
        var fixture = try AccountTokenFixture()
        fixture.account.end(sessionsBefore: Self.now - 5 + ended)
        let claims = try AccountTokenFixture.parts(of: fixture.sign()).claims
        #expect(claims["iat"]?.integerValue == Self.now - allowance)
        #expect(claims["exp"]?.integerValue == Self.now + 3600)
    }

    @Test(arguments: [JSONWebAlgorithm.es256, .rs256])
    func `a token says to a server what it was made of`(algorithm: JSONWebAlgorithm) throws {
        let fixture = try AccountTokenFixture(algorithm)
        let token = try fixture.sign()
        let (header, claims) = try AccountTokenFixture.parts(of: token)
        #expect(header["alg"]?.text?.makeString() == algorithm.rawValue)
        #expect(fixture.tokens.isSlow == (algorithm == .rs256))

        let verified = try fixture.tokens.verify(token, now: Self.now)
        #expect(verified.account == fixture.account.id)
        #expect(verified.session == AuthenticatedSession(fixture.session))
        #expect(verified.authTime == fixture.session.authTime)
        #expect(verified.issuedAt == Self.now - 5)
        #expect(verified.expiry == Self.now + 3600)
        #expect(verified.providerID == "apple.com")
        #expect(verified.email == fixture.account.email)
        #expect(verified.isEmailVerified)
        #expect(verified.displayName == "Ada")
        #expect(verified.photoURL == "https://example.com/ada.png")
        #expect(verified.customClaims == #"{"role":"admin","level":3}"#)
        #expect(try AccountTokenFixture.object(verified.claims) == claims)
    }

    @Test func `a token is valid until the second before its expiry, for its issuer five minutes longer`() throws {
        let fixture = try AccountTokenFixture()
        let token = try fixture.sign()
        let expiry = Self.now + AccountTokens.lifetime
        let grace = AccountTokens.graceAfterExpiry
        #expect(grace == 300)
        _ = try fixture.tokens.verify(token, now: expiry - 1)
        _ = try fixture.tokens.verify(token, now: expiry, afterExpiry: grace)
        _ = try fixture.tokens.verify(token, now: expiry + grace - 1, afterExpiry: grace)
        var error = #expect(throws: AccountTokenError.self) { try fixture.tokens.verify(token, now: expiry) }
        #expect(error?.code == .expired)
        error = #expect(throws: AccountTokenError.self) {
            try fixture.tokens.verify(token, now: expiry + grace, afterExpiry: grace)
        }
        #expect(error?.code == .expired)
    }

    @Test func `a key that is not the newest any more verifies as long as it is there`() throws {
        let token = try AccountTokenFixture().sign()
        let (old, new) = (AccountKeyTexts.elliptic, AccountKeyTexts.secondElliptic)
        _ = try AccountTokenFixture.tokens(new + old).verify(token, now: Self.now)
        let without = try AccountTokenFixture.tokens(new)
        let error = #expect(throws: AccountTokenError.self) { try without.verify(token, now: Self.now) }
        #expect(error?.code == .unknownKey)
    }

    @Test(arguments: CustomClaims.reservedNames.sorted())
    func `no custom claim has a name that is reserved`(name: String) {
        #expect(CustomClaims(json: #"{"\#(name)":1}"#) == nil)
    }

    @Test func `every name of ours is reserved`() throws {
        var fixture = try AccountTokenFixture()
        fixture.account.customClaims = nil
        let names = try AccountTokenFixture.parts(of: fixture.sign()).claims.members.map { $0.name.makeString() }
        #expect(Set(names).subtracting(CustomClaims.reservedNames) == [])
    }

    @Test func `custom claims that are longer in the token than they were given are taken`() throws {
        var fixture = try AccountTokenFixture()
        // A line break is two characters here and six in the token.
        let text = #"{"lines":""# + String(repeating: #"\n"#, count: 490) + #""}"#
        let claims: CustomClaims? = CustomClaims(json: text)
        #expect(claims != nil)
        fixture.account.customClaims = claims
        let custom = try #require(try fixture.tokens.verify(fixture.sign(), now: Self.now).customClaims)
        #expect(try AccountTokenFixture.object(custom) == AccountTokenFixture.object(text))
    }

    @Test func `a token is not made of records of two accounts, nor too long to be verified`() throws {
        let fixture = try AccountTokenFixture()
        let eve = try #require(AccountID("eve-account"))
        var cases: [(AccountTokenFixture, AccountTokenError.Code)] = [
            (fixture, .mismatch), (fixture, .mismatch), (fixture, .tooLong),
        ]
        cases[0].0.session = try AccountTokenFixture.session(of: eve)
        cases[1].0.identities.append(
            AccountTokenFixture.identity("https://eve.example", "eve", "oidc.eve", of: eve))
        cases[2].0.identities = (0..<20).map { number in
            AccountTokenFixture.identity(
                "https://p\(number).example", String(repeating: "s", count: 1000), "oidc.p\(number)",
                of: fixture.account.id)
        }
        for (altered, code) in cases {
            let error = #expect(throws: AccountTokenError.self) { try altered.sign() }
            #expect(error?.code == code)
        }
    }

    @Test(arguments: [
        ("shop", true), ("shop-test-1", true), (String(repeating: "a", count: 30), true), ("sho", false), ("", false),
        (String(repeating: "a", count: 31), false), ("Shop", false), ("shop_1", false), ("shöpp", false),
        ("shop ", false),
    ])
    func `IDs of projects`(text: String, isProjectID: Bool) throws {
        #expect(AccountTokens.isProjectID(text) == isProjectID)
        let tokens = AccountTokens(projectID: text, issuer: AccountTokenFixture.issuer, keys: try .generate())
        #expect((tokens != nil) == isProjectID)
    }

    @Test(arguments: [
        ("https://auth.example", true), ("http://localhost:8080/__/auth/accounts", true),
        ("https://securetoken.google.com/shop-test", true), ("auth.example", false), ("", false),
        ("https://auth.example?a=b", false), ("https://auth.example#a", false), ("https://a@auth.example", false),
    ])
    func `issuers`(text: String, isIssuer: Bool) throws {
        let tokens = AccountTokens(projectID: "shop-test", issuer: text, keys: try .generate())
        #expect((tokens != nil) == isIssuer)
    }
}
