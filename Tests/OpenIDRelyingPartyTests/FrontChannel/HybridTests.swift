// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// `code id_token`: what comes through the browser is validated in full before anything is sent (OpenID Connect Core 1.0
/// section 3.3).
@Suite struct HybridTests {
    private static let before = ["/.well-known/openid-configuration", "/jwks"]

    @Test(arguments: [JSONWebAlgorithm.es256, .es384, .es512, .eddsa, .ed25519, .rs256, .ps384])
    func `a sign-in takes the token endpoint's claims and tokens`(algorithm: JSONWebAlgorithm) throws {
        let provider = try TestProvider(algorithm)
        provider.behave { behavior in
            behavior.changeClaims = { claims, isFront in claims["name"] = isFront ? "Front" : "Token endpoint" }
        }
        let session = UnpluggedSession(provider, .codeIDToken)
        let (url, pending) = try session.begin()
        let asked = try FormURLEncoding.parse(url.drop { $0 != "?" }.dropFirst().utf8)
        #expect(try asked.text("response_type") == "code id_token")
        #expect(try asked.text("response_mode") == "form_post")
        #expect(try asked.text("nonce") == pending.nonce.exposed)
        let signIn = try session.complete(try provider.answer(to: url), pending)
        #expect(signIn.subject == "person-ada")
        #expect(signIn.claims.string("name") == "Token endpoint")
        #expect(signIn.claims.string("at_hash") != nil)
        #expect(signIn.accessToken?.exposed == "an-access-token")
        #expect(signIn.refreshToken?.exposed == "a-refresh-token")
        #expect(provider.paths == Self.before + ["/token"])
    }

    @Test(arguments: FrontChannelClaims.always + FrontChannelClaims.besideCode)
    func `a front-channel token that is wrong ends it before the code is sent`(claims: FrontChannelClaims) throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { if $1 { claims.change(&$0) } } }
        let session = UnpluggedSession(provider, .codeIDToken)
        let error = try session.refusal()
        #expect(error?.step == .idToken)
        #expect(error?.finding?.check == claims.check)
        #expect(provider.paths == Self.before)
    }

    @Test(arguments: FrontChannelClaims.always + FrontChannelClaims.besideCode)
    func `it would go on but for that check`(claims: FrontChannelClaims) throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { if $1 { claims.change(&$0) } } }
        // The continuity check holds the second token to the first one's subject and issuer, which are wrong here.
        let policy = IDTokenPolicy.standard.without(claims.check)
            .without(IDTokenCheck.subjectContinuity.name).without(IDTokenCheck.issuer.name)
        let session = UnpluggedSession(provider, .codeIDToken, policy: policy)
        #expect(try session.refusal() == nil)
        #expect(provider.paths == Self.before + ["/token"])
    }

    @Test(arguments: ["LDktKdoQak3Pk0cnXxCltA", 1] as [JSONValue])
    func `at_hash without an access token beside it has nothing to be compared with`(hash: JSONValue) throws {
        for type in [ResponseType.codeIDToken, .idToken] {
            let provider = try TestProvider()
            provider.behave { behavior in behavior.changeClaims = { if $1 { $0["at_hash"] = hash } } }
            #expect(try UnpluggedSession(provider, type).refusal() == nil)
        }
    }

    @Test func `s_hash of the state that was sent is accepted`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider, .codeIDToken)
        let (url, pending) = try session.begin()
        provider.behave { behavior in
            behavior.changeClaims = { claims, isFront in
                guard isFront else { return }
                claims["s_hash"] = .string(TokenHash.leftHalf(of: pending.state, algorithm: .es256))
            }
        }
        let signIn = try session.complete(try provider.answer(to: url), pending)
        #expect(signIn.subject == "person-ada")
    }

    @Test func `max_age is asked of the front-channel token too`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider, .codeIDToken)
        func refusal() throws -> RelyingPartyError? {
            let (url, pending) = try session.begin(maximumAge: .seconds(60))
            do {
                _ = try session.complete(try provider.answer(to: url), pending)
                return nil
            } catch let error as RelyingPartyError {
                return error
            }
        }
        #expect(try refusal() == nil)
        provider.behave { behavior in behavior.changeClaims = { if $1 { $0["auth_time"] = nil } } }
        #expect(try refusal()?.finding?.check == IDTokenCheck.authenticationTime.name)
        #expect(provider.paths.filter { $0 == "/token" }.count == 1)
    }

    @Test func `the second token must be of the same user`() throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { if !$1 { $0["sub"] = "person-eve" } } }
        let finding = try UnpluggedSession(provider, .codeIDToken).refusal()?.finding
        #expect(finding?.check == IDTokenCheck.subjectContinuity.name)
        let without = IDTokenPolicy.standard.without(IDTokenCheck.subjectContinuity.name)
        #expect(try UnpluggedSession(provider, .codeIDToken, policy: without).refusal() == nil)
    }

    @Test(arguments: ["https://issuer.example1", "https://issuer.example/", ""])
    func `the second token must be of the same issuer`(issuer: String) throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { if !$1 { $0["iss"] = .string(issuer) } } }
        #expect(try UnpluggedSession(provider, .codeIDToken).refusal()?.finding?.check == IDTokenCheck.issuer.name)
    }

    @Test func `the second token's own hashes are held to the tokens beside it`() throws {
        for (claim, check) in [("at_hash", IDTokenCheck.accessTokenHash.name), ("c_hash", IDTokenCheck.codeHash.name)] {
            let provider = try TestProvider()
            provider.behave { behavior in
                behavior.changeClaims = { if !$1 { $0[claim] = "LDktKdoQak3Pk0cnXxCltA" } }
            }
            #expect(try UnpluggedSession(provider, .codeIDToken).refusal()?.finding?.check == check)
        }
        let provider = try TestProvider()
        let hash = TokenHash.leftHalf(of: TestProvider.code, algorithm: .es256)
        provider.behave { behavior in behavior.changeClaims = { if !$1 { $0["c_hash"] = .string(hash) } } }
        #expect(try UnpluggedSession(provider, .codeIDToken).refusal() == nil)
        #expect(try UnpluggedSession(provider, .code).refusal() == nil)
    }

    @Test func `the second token's nonce is the one that was sent`() throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { if !$1 { $0["nonce"] = "another" } } }
        #expect(try UnpluggedSession(provider, .codeIDToken).refusal()?.finding?.check == IDTokenCheck.nonce.name)
    }

    @Test func `a front-channel token with a bad signature ends it before the code is sent`() throws {
        let provider = try TestProvider()
        let other = try SigningKey.generate(.es256)
        provider.behave { behavior in
            behavior.header = ["kid": .string(provider.key.keyID)]
            behavior.signingKey = other
        }
        let error = try UnpluggedSession(provider, .codeIDToken).refusal()
        #expect(error?.step == .idToken)
        #expect(error?.finding == nil)
        #expect(provider.paths == Self.before)
    }

    @Test(arguments: ["", "a.b", "a.b.c", "a.b.c.d", "a.b.c.d.e", "not a token", String(repeating: "x", count: 65_537)])
    func `a text that is not a token ends it before anything but the metadata is requested`(token: String) throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeToken = { $1 ? token : $0 } }
        let error = try UnpluggedSession(provider, .codeIDToken).refusal()
        #expect(error?.step == .idToken || error?.step == .authorization)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test(arguments: ["id_token", "code"])
    func `both a code and a token must be there`(name: String) throws {
        let provider = try TestProvider()
        let error = try UnpluggedSession(provider, .codeIDToken).refusal { response in
            FormURLEncoding.encode(
                try FormURLEncoding.parse(response.utf8).texts.filter { $0.name != name }.map { ($0.name, $0.value) })
        }
        #expect(error?.step == .authorization)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test(.attack(.duplicateResponseParameter)) func `a duplicate token is refused`() throws {
        let provider = try TestProvider()
        let error = try UnpluggedSession(provider, .codeIDToken).refusal { $0 + "&id_token=x" }
        #expect(error?.step == .authorization)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test func `RFC 9207 iss is validated before the token`() throws {
        let provider = try TestProvider()
        let error = try UnpluggedSession(provider, .codeIDToken).refusal { response in
            response.replacing("issuer.example", with: "evil.example", maxReplacements: 1)
        }
        #expect(error == .issuerMismatch)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    private static func withoutIssuer(_ response: String) throws -> String {
        FormURLEncoding.encode(
            try FormURLEncoding.parse(response.utf8).texts.filter { $0.name != "iss" }.map { ($0.name, $0.value) })
    }

    @Test(arguments: [ResponseType.codeIDToken, .idToken])
    func `RFC 9207 section 4 the token's iss takes the place of one that was announced`(type: ResponseType) throws {
        let provider = try TestProvider()
        #expect(try UnpluggedSession(provider, type).refusal(Self.withoutIssuer) == nil)
        // Without a token in the response nothing takes its place.
        #expect(try UnpluggedSession(provider, .code).refusal(Self.withoutIssuer) == .issuerMissing)
        let error = try UnpluggedSession(provider, type).refusal { response in
            try Self.withoutIssuer(response) + "&error=access_denied"
        }
        #expect(error == .issuerMissing)
    }

    @Test(.attack(.strippedIssuer), arguments: FrontChannelClaims.always + FrontChannelClaims.besideCode)
    func `RFC 9207 section 4 it does so only in a token that is right`(claims: FrontChannelClaims) throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { if $1 { claims.change(&$0) } } }
        let error = try UnpluggedSession(provider, .codeIDToken).refusal(Self.withoutIssuer)
        #expect(error?.finding?.check == claims.check)
        #expect(provider.paths == Self.before)
    }

    @Test func `an error wins over what stands beside it`() throws {
        let provider = try TestProvider()
        let error = try UnpluggedSession(provider, .codeIDToken).refusal { $0 + "&error=access_denied" }
        #expect(error?.providerError?.code == "access_denied")
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test func `RFC 9700 section 4.6 where a code alone was asked for a token beside it is ignored`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider, .code)
        let signIn = try session.signIn { $0 + "&id_token=a.forged.one&access_token=forged" }
        #expect(signIn.accessToken?.exposed == "an-access-token")
    }

    @Test(arguments: [ResponseType.code, .codeIDToken, .idToken])
    func `a response without a part that was requested is refused`(type: ResponseType) throws {
        let provider = try TestProvider()
        let source = UnpluggedSession(provider, .codeIDToken)
        let (url, _) = try source.begin()
        let right = try AuthorizationResponse(try FormURLEncoding.parse(try provider.answer(to: url).utf8))
        let token = try #require(right.idToken).makeString()
        let session = UnpluggedSession(provider, type)
        let (_, pending) = try session.begin()
        let asked = provider.paths.count
        var incomplete: [String] = []
        if type.hasCode { incomplete.append("id_token=\(token)") }
        if type.hasIDToken { incomplete.append("code=\(TestProvider.code)") }
        for part in incomplete {
            let error = #expect(throws: RelyingPartyError.self) {
                try session.complete(part + "&state=\(pending.state)&iss=\(TestProvider.fixedIssuer)", pending)
            }
            #expect(error?.step == .authorization)
        }
        #expect(provider.paths.count == asked)
    }

    @Test(arguments: [ResponseType.codeIDToken, .idToken])
    func `a token is never asked for in a query`(type: ResponseType) throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { $0.responseType = type }
        let error = #expect(throws: RelyingPartyError.self) { try session.begin() }
        #expect(error?.step == .authorization)
        #expect(provider.requests.isEmpty)
    }

    @Test func `the code is sent once, whatever the response`() throws {
        for status in [400, 429, 500, 503] {
            let provider = try TestProvider()
            provider.answer("/token", status: status, "")
            #expect(try UnpluggedSession(provider, .codeIDToken).refusal() == .status(.token, status))
            #expect(provider.paths == Self.before + ["/token"])
        }
    }

    @Test func `UserInfo is fetched after both tokens passed`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { configuration in
            configuration.responseType = .codeIDToken
            configuration.responseMode = .fragment
            configuration.userInfo = true
        }
        #expect(try session.signIn().claims.string("email") == "ada@example.com")
        #expect(provider.paths == Self.before + ["/token", "/userinfo"])
        provider.behave { behavior in behavior.changeClaims = { if !$1 { $0["sub"] = "person-eve" } } }
        #expect(try session.refusal()?.finding?.check == IDTokenCheck.subjectContinuity.name)
        #expect(provider.paths.filter { $0 == "/userinfo" }.count == 1)
    }
}
