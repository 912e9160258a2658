// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Metadata without what a flow does not use, as those of Facebook Limited Login.
@Suite struct UnusedMembersTests {
    private static let audience = "app-at-provider"

    /// A native ID token.
    private static func verify(_ session: UnpluggedSession) throws -> VerifiedSignIn {
        let provider = session.provider
        let now = provider.clock.now()
        let token = try provider.key.sign([
            "iss": .string(provider.issuer), "sub": "ada", "aud": .string(audience), "nonce": "n",
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 300)),
        ])
        return try session.party.verifyNative(
            idToken: Secret(token), audiences: [audience], nonce: "n", in: RequestScope(on: session.loop)
        ).future(on: session.loop).wait()
    }

    private static func provider(_ metadata: JSONObject) throws -> TestProvider {
        let provider = try TestProvider()
        provider.behave { $0.metadata = metadata }
        return provider
    }

    /// Members that a native credential does not use: absent, of another type, and unusable texts.
    @Test(
        arguments: [
            "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "revocation_endpoint",
            "pushed_authorization_request_endpoint", "end_session_endpoint", "mtls_endpoint_aliases",
            "token_endpoint_auth_methods_supported", "authorization_response_iss_parameter_supported",
            "require_pushed_authorization_requests", "userinfo_signing_alg_values_supported",
        ], [.null, 7, [1], [:], "/x", "http://issuer.example/x", "https://169.254.169.254/x"] as [JSONValue])
    func `a native credential needs no endpoint`(member: String, value: JSONValue) throws {
        let session = UnpluggedSession(try Self.provider([member: value]))
        #expect(try Self.verify(session).subject == "ada")
        #expect(session.provider.paths == ["/.well-known/openid-configuration", "/jwks"])
    }

    @Test func `what its verification needs is named, and is asked for`() throws {
        let noKeys = UnpluggedSession(try Self.provider(["jwks_uri": .null]))
        let error = #expect(throws: RelyingPartyError.self) { try Self.verify(noKeys) }
        #expect(error?.step == .discovery && "\(error.map { "\($0)" } ?? "")".contains("jwks_uri"))
        let noAlgorithm = UnpluggedSession(try Self.provider(["id_token_signing_alg_values_supported": 7]))
        #expect(throws: RelyingPartyError.self) { try Self.verify(noAlgorithm) }
    }

    @Test func `an ID token through the browser needs no token endpoint`() throws {
        let provider = try Self.provider(["token_endpoint": .null, "token_endpoint_auth_methods_supported": 7])
        #expect(try UnpluggedSession(provider, .idToken).signIn().subject == "person-ada")
        for type in [ResponseType.code, .codeIDToken] {
            let error = try UnpluggedSession(provider, type).refusal()
            #expect(error?.step == .discovery && error?.isTemporary == false)
        }
    }

    @Test(arguments: [
        "userinfo_endpoint", "revocation_endpoint", "pushed_authorization_request_endpoint", "end_session_endpoint",
        "introspection_endpoint", "registration_endpoint",
    ])
    func `a sign-in by code does not judge the endpoints that it does not use`(member: String) throws {
        for value: JSONValue in ["/x", "http://issuer.example/x", "https://10.0.0.1/x", 7] {
            #expect(try UnpluggedSession(try Self.provider([member: value])).signIn().subject == "person-ada")
        }
    }

    @Test(
        arguments: [
            "authorization_endpoint", "token_endpoint", "jwks_uri", "authorization_response_iss_parameter_supported",
            "require_pushed_authorization_requests", "id_token_signing_alg_values_supported",
        ])
    func `a sign-in by code is refused before the user leaves, with the member's name`(member: String) throws {
        for value: JSONValue in [7, "http://issuer.example/x"] {
            let session = UnpluggedSession(try Self.provider([member: value]))
            let error = #expect(throws: RelyingPartyError.self) { try session.begin() }
            #expect(error?.step == .discovery && error?.isTemporary == false)
            #expect("\(error.map { "\($0)" } ?? "")".contains("'\(member)'"))
            #expect(session.provider.paths == ["/.well-known/openid-configuration"])
        }
    }

    @Test func `signed UserInfo needs a list of algorithms that can be read`() throws {
        let provider = try Self.provider(["userinfo_signing_alg_values_supported": 7])
        let plain = UnpluggedSession(provider) { $0.userInfo = true }
        #expect(try plain.signIn().claims.string("email") == "ada@example.com")
        provider.behave { $0.signsUserInfo = true }
        #expect(try UnpluggedSession(provider) { $0.userInfo = true }.refusal()?.step == .userInfo)
    }
}
