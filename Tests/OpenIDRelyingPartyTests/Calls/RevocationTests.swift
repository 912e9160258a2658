// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Revoking a token (RFC 7009).
@Suite struct RevocationTests {
    private static func refusal(
        _ session: UnpluggedSession,
        hint: TokenTypeHint? = nil
    ) -> RelyingPartyError? {
        do {
            try session.party.revoke(Secret("a-refresh-token"), hint: hint, on: session.loop).wait()
            return nil
        } catch {
            return error as? RelyingPartyError
        }
    }

    @Test(
        arguments: [(nil, nil), (.accessToken, "access_token"), (.refreshToken, "refresh_token")]
            as [(TokenTypeHint?, String?)])
    func `the token is posted with the client's proof, and doing so again does no harm`(
        hint: TokenTypeHint?, name: String?
    ) throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        for _ in 1...2 { #expect(Self.refusal(session, hint: hint) == nil) }
        let form = try provider.form("/revoke")
        #expect(try form.text("token") == "a-refresh-token")
        #expect(try form.text("token_type_hint") == name)
        #expect(provider.requests.last?.authorization?.hasPrefix("Basic ") == true)
        #expect(provider.paths == ["/.well-known/openid-configuration", "/revoke", "/revoke"])
    }

    @Test(
        arguments: [
            (400, #"{"error":"unsupported_token_type"}"#, "unsupported_token_type", false),
            (401, #"{"error":"invalid_client"}"#, "invalid_client", false), (400, "", nil, false),
            (404, "no such page", nil, false), (302, "", nil, false), (503, "", nil, true),
            (503, #"{"error":"invalid_client"}"#, nil, true), (429, "", nil, true), (500, "", nil, true),
        ] as [(Int, String, String?, Bool)])
    func `anything but 200 is not a revocation`(status: Int, body: String, code: String?, isTemporary: Bool) throws {
        let provider = try TestProvider()
        provider.answer("/revoke", status: status, body)
        let error = Self.refusal(UnpluggedSession(provider))
        #expect(error?.step == .revocation)
        #expect(error?.providerError?.code == code)
        #expect(error?.isTemporary == isTemporary)
        #expect(provider.paths.filter { $0 == "/revoke" }.count == 1)
    }

    @Test func `200 is a revocation whatever stands in it`() throws {
        let provider = try TestProvider()
        provider.answer("/revoke", #"{"error":"invalid_token"}"#)
        #expect(Self.refusal(UnpluggedSession(provider)) == nil)
    }

    @Test func `a provider without the endpoint is asked nothing`() throws {
        let provider = try TestProvider()
        provider.behave { $0.metadata["revocation_endpoint"] = .null }
        let error = Self.refusal(UnpluggedSession(provider))
        #expect(error?.step == .revocation)
        #expect(error?.isTemporary == false)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    // MARK: The client authentication of the endpoint (RFC 8414 section 2)

    struct MethodCase: Sendable, CustomTestStringConvertible {
        /// What the provider announces for the endpoint; `nil` for nothing.
        let announced: JSONValue?
        /// What the operator configured; `nil` for nothing.
        let configured: ClientAuthenticationMethod?
        /// What the provider announces for the token endpoint.
        var tokenMethods: JSONValue = ["client_secret_basic", "client_secret_post", "private_key_jwt"]
        var hasKey = false
        var hasSecret = true
        /// The method that is used; `nil` for none.
        let expected: ClientAuthenticationMethod?

        var testDescription: String {
            "announced \(announced.map { String(decoding: $0.serialized(), as: UTF8.self) } ?? "nothing"), configured "
                + "\(configured?.name ?? "nothing"), \(expected?.name ?? "none")"
        }
    }

    static let methods: [MethodCase] = [
        // Like canaille 0.3.6: its revocation endpoint takes Basic alone.
        MethodCase(
            announced: ["client_secret_basic"], configured: .clientSecretPost, expected: .clientSecretBasic),
        MethodCase(announced: ["client_secret_post"], configured: nil, expected: .clientSecretPost),
        MethodCase(announced: ["client_secret_post"], configured: .clientSecretBasic, expected: .clientSecretPost),
        // That of the token endpoint, if it is among them.
        MethodCase(
            announced: ["client_secret_basic", "client_secret_post"], configured: .clientSecretPost,
            expected: .clientSecretPost),
        MethodCase(
            announced: ["client_secret_basic", "private_key_jwt"], configured: nil, hasKey: true,
            expected: .privateKeyJWT),
        MethodCase(announced: ["client_secret_basic"], configured: nil, hasKey: true, expected: .clientSecretBasic),
        MethodCase(announced: ["private_key_jwt"], configured: nil, expected: nil),
        MethodCase(announced: ["none"], configured: nil, expected: nil),
        // The default is client_secret_basic, for a client that sends its secret.
        MethodCase(announced: nil, configured: nil, expected: .clientSecretBasic),
        MethodCase(announced: nil, configured: .clientSecretPost, expected: .clientSecretBasic),
        MethodCase(
            announced: nil, configured: nil, tokenMethods: ["client_secret_post"], expected: .clientSecretBasic),
        MethodCase(announced: .null, configured: .clientSecretPost, expected: .clientSecretBasic),
        MethodCase(announced: [], configured: .clientSecretPost, expected: .clientSecretBasic),
        MethodCase(announced: nil, configured: nil, hasKey: true, expected: .privateKeyJWT),
        MethodCase(
            announced: nil, configured: nil, hasSecret: false, expected: ClientAuthenticationMethod.none),
        MethodCase(
            announced: ["client_secret_basic"], configured: nil, hasSecret: false,
            expected: ClientAuthenticationMethod.none),
        // A value that is not a list of names affects the endpoint alone.
        MethodCase(announced: "client_secret_basic", configured: .clientSecretPost, expected: nil),
        MethodCase(announced: ["client_secret_basic", 1], configured: .clientSecretPost, expected: nil),
    ]

    @Test(arguments: methods) func `the client authenticates as the revocation endpoint takes it`(
        one: MethodCase
    ) throws {
        let provider = try TestProvider()
        let request = try TestRequest.make(provider.issuer + "/.well-known/openid-configuration")
        let response = try provider.execute(request, on: EmbeddedEventLoop()).wait()
        var document = try JSONParser.object(
            Array(response.body.readableBytesView), limits: JSONLimits(maximumBytes: 65_536))
        document["revocation_endpoint_auth_methods_supported"] = one.announced
        document["token_endpoint_auth_methods_supported"] = one.tokenMethods
        provider.answer(
            "/.well-known/openid-configuration", String(decoding: document.serialized(), as: UTF8.self))
        let session = UnpluggedSession(provider) {
            if !one.hasSecret { $0.clientSecret = nil }
            if one.hasKey { $0.clientSigningKey = Secret(KeyTexts.p256) }
            $0.clientAuthentication = one.configured
        }
        let error = Self.refusal(session)
        #expect((error == nil) == (one.expected != nil), "\(String(describing: error))")
        #expect(provider.paths.contains("/revoke") == (one.expected != nil))
        guard let expected = one.expected, let request = provider.requests.last else { return }
        let form = try provider.form("/revoke")
        #expect((request.authorization?.hasPrefix("Basic ") == true) == (expected == .clientSecretBasic))
        #expect(form.contains("client_secret") == (expected == .clientSecretPost))
        #expect(form.contains("client_assertion") == (expected == .privateKeyJWT))
        #expect(try form.text("token") == "a-refresh-token")
        // The token endpoint is asked as before.
        let (url, pending) = try session.begin()
        _ = try? session.complete(try provider.answer(to: url), pending)
        let usual = one.configured ?? (one.hasKey ? .privateKeyJWT : nil)
        if let usual { #expect(try provider.form("/token").contains("client_secret") == (usual == .clientSecretPost)) }
    }
}
