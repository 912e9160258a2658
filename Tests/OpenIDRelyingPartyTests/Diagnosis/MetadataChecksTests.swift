// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// What a provider announces against what is configured.
@Suite struct MetadataChecksTests {
    /// A difference from a provider and a configuration that fit each other, and what comes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let subject: LiveCheck.Subject
        /// `nil` if the check is not made.
        let verdict: LiveCheck.Verdict?
        let what: String
        /// Members that replace those of the metadata; null takes one out.
        let members: JSONObject
        let requiresIssuer: Bool
        let configure: @Sendable (inout ProviderConfiguration) -> Void

        init(
            _ subject: LiveCheck.Subject, _ verdict: LiveCheck.Verdict?, _ what: String, _ members: JSONObject = [:],
            requiresIssuer: Bool = false,
            _ configure: @escaping @Sendable (inout ProviderConfiguration) -> Void = { _ in }
        ) {
            self.subject = subject
            self.verdict = verdict
            self.what = what
            self.members = members
            self.requiresIssuer = requiresIssuer
            self.configure = configure
        }

        var testDescription: String { "\(subject.rawValue): \(what)" }
    }

    private static let apple: @Sendable (inout ProviderConfiguration) -> Void = {
        $0.profile = ProviderProfile(nonceForm: .sha256Hexadecimal)
    }
    private static let hybrid: @Sendable (inout ProviderConfiguration) -> Void = {
        $0.responseType = .codeIDToken
        $0.responseMode = .formPost
    }

    private static let decryption: @Sendable (inout ProviderConfiguration) -> Void = {
        $0.decryptionKeys = [Secret("a key that is not looked at")]
    }

    private static let fapi: @Sendable (inout ProviderConfiguration) -> Void = {
        $0.securityProfile = .fapi2
        $0.clientSecret = nil
        $0.clientSigningKey = Secret(KeyTexts.p256)
    }

    /// What a profile needs, and bound tokens.
    private static let profile: [Case] = [
        Case(.tokenBinding, nil, "nothing is bound"),
        Case(.tokenBinding, .unknown, "DPoP is not announced") { $0.dpop = .on },
        Case(.tokenBinding, .ok, "ES256 is announced", ["dpop_signing_alg_values_supported": ["ES256"]], fapi),
        Case(.tokenBinding, .wrong, "another is announced", ["dpop_signing_alg_values_supported": ["RS256"]], fapi),
        Case(.tokenBinding, .unknown, "binding to certificates is not announced") {
            $0.certificateBoundAccessTokens = true
        },
        Case(
            .tokenBinding, .ok, "binding to certificates is announced",
            ["tls_client_certificate_bound_access_tokens": true]
        ) { $0.certificateBoundAccessTokens = true },
        Case(.idTokenAlgorithms, .ok, "one of the profile is announced", [:], fapi),
        Case(
            .idTokenAlgorithms, .wrong, "none of the profile is announced",
            ["id_token_signing_alg_values_supported": ["RS256"]], fapi),
        Case(.pushedAuthorization, .ok, "the profile has an endpoint", [:], fapi),
        Case(
            .pushedAuthorization, .wrong, "the profile has no endpoint",
            ["pushed_authorization_request_endpoint": .null], fapi),
        Case(
            .issuerParameter, .ok, "the profile's iss is announced",
            ["authorization_response_iss_parameter_supported": true], fapi),
        Case(
            .issuerParameter, .unknown, "the profile's iss is not announced",
            ["authorization_response_iss_parameter_supported": .null], fapi),
    ]

    static let cases: [Case] =
        profile + [
            Case(.responseType, .ok, "code is announced"),
            Case(.responseType, .wrong, "another is announced", ["response_types_supported": ["id_token"]]),
            Case(.responseType, .unknown, "none is announced", ["response_types_supported": .null]),
            Case(
                .responseType, .ok, "its words are in another order", ["response_types_supported": ["id_token code"]],
                hybrid),
            Case(
                .responseType, .unknown, "Apple announces less than it supports",
                ["response_types_supported": ["token"]],
                apple),
            Case(.responseMode, .ok, "query is announced"),
            Case(.responseMode, .wrong, "query is not announced", ["response_modes_supported": ["form_post"]]),
            Case(.responseMode, .ok, "query is the default", ["response_modes_supported": .null]),
            Case(.responseMode, .unknown, "form_post is no default", ["response_modes_supported": .null], hybrid),
            Case(.clientAuthentication, .ok, "the secret is sent by Basic"),
            Case(
                .clientAuthentication, .wrong, "no method is supported here",
                ["token_endpoint_auth_methods_supported": ["private_key_jwt"]]),
            Case(
                .clientAuthentication, .wrong, "the configured method is not announced",
                ["token_endpoint_auth_methods_supported": ["client_secret_basic"]]
            ) { $0.clientAuthentication = .clientSecretPost },
            Case(
                .clientAuthentication, .wrong, "the configured method has no credential",
                ["token_endpoint_auth_methods_supported": ["private_key_jwt"]]
            ) { $0.clientAuthentication = .privateKeyJWT },
            Case(.clientAuthentication, .unknown, "a public client is seldom announced") {
                $0.clientSecret = nil
                $0.clientAuthentication = ClientAuthenticationMethod.none
            },
            Case(.clientAuthentication, nil, "there is no code to exchange") {
                $0.responseType = .idToken
                $0.responseMode = .formPost
            },
            Case(.codeChallenge, .ok, "S256 is announced"),
            Case(.codeChallenge, .wrong, "only plain is announced", ["code_challenge_methods_supported": ["plain"]]),
            Case(.codeChallenge, .unknown, "nothing is announced", ["code_challenge_methods_supported": .null]),
            Case(.codeChallenge, .unknown, "it is no list", ["code_challenge_methods_supported": "S256"]),
            Case(.idTokenAlgorithms, .ok, "ES256 is announced"),
            Case(.idTokenAlgorithms, .wrong, "only HMAC", ["id_token_signing_alg_values_supported": ["HS256"]]),
            Case(.idTokenAlgorithms, .wrong, "the registered one is not announced") {
                $0.idTokenAlgorithms = ["RS256"]
            },
            Case(
                .idTokenAlgorithms, .ok, "the registered one has another name",
                ["id_token_signing_alg_values_supported": ["EdDSA"]]
            ) { $0.idTokenAlgorithms = ["Ed25519"] },
            Case(.scopes, .ok, "openid is announced"),
            Case(.scopes, nil, "none is announced", ["scopes_supported": .null]),
            Case(.scopes, .unknown, "one is not announced") { $0.scopes = ["openid", "groups"] },
            Case(.pushedAuthorization, .ok, "it is not wanted", ["pushed_authorization_request_endpoint": .null]),
            Case(.pushedAuthorization, .ok, "it is required", ["require_pushed_authorization_requests": true]),
            Case(.pushedAuthorization, .ok, "it is wanted and offered") { $0.pushedAuthorization = true },
            Case(
                .pushedAuthorization, .wrong, "it is wanted and not offered",
                ["pushed_authorization_request_endpoint": .null]
            ) { $0.pushedAuthorization = true },
            Case(.issuerParameter, .ok, "it is announced where it is required", requiresIssuer: true),
            Case(
                .issuerParameter, .wrong, "it is not announced where it is required",
                ["authorization_response_iss_parameter_supported": false], requiresIssuer: true),
            Case(
                .issuerParameter, .ok, "it is not announced, and sent by the configuration",
                ["authorization_response_iss_parameter_supported": false], requiresIssuer: true
            ) { $0.sendsIssuer = true },
            Case(
                .issuerParameter, .ok, "it is not required", ["authorization_response_iss_parameter_supported": false]),
            Case(.userInfo, nil, "it is not wanted", ["userinfo_endpoint": .null]),
            Case(.userInfo, .ok, "it is wanted and offered") { $0.userInfo = true },
            Case(.userInfo, .wrong, "it is wanted and not offered", ["userinfo_endpoint": .null]) {
                $0.userInfo = true
            },
            Case(.responseType, nil, "there are native credentials only") { $0.clientID = "" },
            Case(.requestObject, nil, "none is required", ["require_signed_request_object": false]),
            Case(.requestObject, .wrong, "one is required, without a key", ["require_signed_request_object": true]),
            Case(.requestObject, .wrong, "one is required, and off", ["require_signed_request_object": true]) {
                $0.clientSigningKey = Secret(KeyTexts.p256)
                $0.requestObject = .off
            },
            Case(.requestObject, nil, "off, and none is required") { $0.requestObject = .off },
            Case(.requestObject, .unknown, "one is required, by any algorithm", ["require_signed_request_object": true])
            {
                $0.clientSigningKey = Secret(KeyTexts.p256)
            },
            Case(
                .requestObject, .ok, "one is sent, by an algorithm that is announced",
                ["request_object_signing_alg_values_supported": ["none", "ES256"]]
            ) {
                $0.clientSigningKey = Secret(KeyTexts.p256)
                $0.requestObject = .sign
            },
            Case(
                .requestObject, .wrong, "one is sent, by an algorithm that is not announced",
                ["request_object_signing_alg_values_supported": ["none", "PS256"]]
            ) {
                $0.clientSigningKey = Secret(KeyTexts.p256)
                $0.requestObject = .sign
            },
            Case(.responseMode, .wrong, "no signed responses are announced") { $0.responseMode = .jwt },
            Case(.responseMode, .ok, "signed ones are", ["response_modes_supported": ["query.jwt"]]) {
                $0.responseMode = .queryJWT
            },
            Case(.encryption, nil, "there is no key", ["id_token_encryption_alg_values_supported": ["RSA1_5"]]),
            Case(.encryption, nil, "nothing is announced", [:], decryption),
            Case(
                .encryption, .ok, "one is common",
                [
                    "id_token_encryption_alg_values_supported": ["RSA1_5", "ECDH-ES"],
                    "id_token_encryption_enc_values_supported": ["A256GCM"],
                ], decryption),
            Case(
                .encryption, .wrong, "the key management is another",
                ["id_token_encryption_alg_values_supported": ["RSA1_5"]], decryption),
            Case(
                .encryption, .wrong, "the content encryption is another",
                [
                    "id_token_encryption_alg_values_supported": ["ECDH-ES"],
                    "id_token_encryption_enc_values_supported": ["XC20P"],
                ], decryption),
            Case(.authenticationContexts, nil, "none is required", ["acr_values_supported": ["gold"]]),
            Case(.authenticationContexts, nil, "none is announced") { $0.requiredACRValues = ["gold"] },
            Case(.authenticationContexts, .ok, "one is announced", ["acr_values_supported": ["gold"]]) {
                $0.requiredACRValues = ["silver", "gold"]
            },
            Case(.authenticationContexts, .wrong, "others are announced", ["acr_values_supported": ["bronze"]]) {
                $0.requiredACRValues = ["gold"]
            },
            Case(.claimsParameter, nil, "it is not used", ["claims_parameter_supported": false]),
            Case(.claimsParameter, .ok, "it is supported", ["claims_parameter_supported": true]) {
                $0.claimsParameter = "{}"
            },
            Case(.claimsParameter, .wrong, "it is not supported", ["claims_parameter_supported": false]) {
                $0.claimsParameter = "{}"
            },
            Case(.claimsParameter, .unknown, "nothing is announced") { $0.claimsParameter = "{}" },
            Case(.resources, nil, "UserInfo is not asked") { $0.resources = ["urn:api"] },
            Case(.resources, .unknown, "UserInfo may not take the token") {
                $0.resources = ["urn:api"]
                $0.userInfo = true
            },
            Case(.idTokenAlgorithms, .ok, "there are native credentials only") { $0.clientID = "" },
        ]

    @Test(arguments: cases) func `what is announced is compared with what is configured`(one: Case) throws {
        let checks = try Self.checks(one)
        let matching = checks.filter { $0.subject == one.subject }
        #expect(matching.map(\.verdict) == (one.verdict.map { [$0] } ?? []))
        #expect(checks.allSatisfy { $0.provider == "acme" })
        // Each report of a problem says what to change.
        #expect(checks.allSatisfy { $0.verdict != .wrong || $0.advice != nil })
        #expect(checks.allSatisfy { $0.verdict != .ok || $0.advice == nil })
    }

    @Test(arguments: [ResponseMode.query, .fragment, .formPost])
    func `form_post is warned of where the metadata do not have it`(mode: ResponseMode) throws {
        let one = Case(.responseMode, nil, "", ["response_modes_supported": .null]) { $0.responseMode = mode }
        let check = try #require(try Self.checks(one).first { $0.subject == .responseMode })
        #expect(check.verdict == (mode == .formPost ? .unknown : .ok))
        #expect((check.advice?.contains("ignore response_mode") == true) == (mode == .formPost))
    }

    @Test func `what a provider writes reaches no terminal as it is`() throws {
        let one = Case(.scopes, .ok, "", ["scopes_supported": ["openid", "a\u{1B}[2J", "\u{202E}b"]])
        for check in try Self.checks(one) {
            #expect((check.found + check.wanted).utf8.allSatisfy { (0x20...0x7E).contains($0) })
        }
    }

    @Test func `a text has a maximum length`() throws {
        let types = (0..<256).map { JSONValue.string(String(repeating: "x", count: 60) + "\($0)") }
        let one = Case(.responseType, .wrong, "", ["response_types_supported": .array(types)])
        #expect(try Self.checks(one).allSatisfy { $0.found.utf8.count <= 2048 })
    }

    private static func checks(_ one: Case) throws -> [LiveCheck] {
        let provider = try TestProvider()
        let party = UnpluggedSession(provider) { one.configure(&$0) }.party
        var document: JSONObject = [
            "issuer": .string(provider.issuer),
            "authorization_endpoint": .string(provider.issuer + "/authorize"),
            "token_endpoint": .string(provider.issuer + "/token"),
            "userinfo_endpoint": .string(provider.issuer + "/userinfo"),
            "pushed_authorization_request_endpoint": .string(provider.issuer + "/par"),
            "jwks_uri": .string(provider.issuer + "/jwks"),
            "scopes_supported": ["openid", "email"],
            "response_types_supported": ["code", "code id_token", "id_token"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        ]
        for member in one.members.members {
            document[member.name] = member.value == .null ? nil : member.value
        }
        let metadata = try ProviderMetadata(
            json: document.serialized(), issuer: provider.issuer, allowsLoopbackHTTP: false)
        return party.checks(of: metadata, provider: "acme", requiresIssuer: one.requiresIssuer)
    }
}
