// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite(.onSockets) struct MetadataFuzzTests {
    private static let issuer = "https://issuer.example"

    private static let corpus = [
        #"{"issuer":"https://issuer.example","authorization_endpoint":"https://issuer.example/a","#
            + #""token_endpoint":"https://issuer.example/t","jwks_uri":"https://issuer.example/k"}"#,
        #"{"issuer":"https://issuer.example","authorization_endpoint":"https://issuer.example/a","#
            + #""token_endpoint":"https://issuer.example/t","jwks_uri":"https://issuer.example/k","#
            + #""userinfo_endpoint":"https://issuer.example/u","revocation_endpoint":"https://issuer.example/r","#
            + #""pushed_authorization_request_endpoint":"https://issuer.example/p","#
            + #""require_pushed_authorization_requests":true,"#
            + #""mtls_endpoint_aliases":{"token_endpoint":"https://m.example/t"},"#
            + #""id_token_signing_alg_values_supported":["RS256","HS256","none"],"#
            + #""response_types_supported":["code"],"authorization_response_iss_parameter_supported":true}"#,
        #"{"issuer":"https://issuer.example/{tenantid}/v2.0","authorization_endpoint":"https://issuer.example/a","#
            + #""token_endpoint":"https://issuer.example/t","jwks_uri":"https://issuer.example/k"}"#,
    ]

    private static let dictionary = [
        "http://", "https://", "http://127.0.0.1/", "https://evil.example", "http://169.254.169.254/", "@", "\\\\", "#",
        "{tenantid}", "null", "true", "[]", "{}", #""issuer""#, #""token_endpoint":"http://evil.example/t","#,
        "\u{212A}",
        "1e300", #"\u0000"#, #"\ud800"#,
    ]

    private static func violation(of metadata: ProviderMetadata, isTemplateAllowed: Bool) -> String? {
        let isAsked = metadata.issuer.hasSameBytes(as: issuer)
        let isTemplate =
            isTemplateAllowed && IssuerRule.hasTenantPlaceholder(metadata.issuer)
            && AbsoluteURL(metadata.issuer)?.origin == issuer
        guard isAsked || isTemplate else { return "an issuer that was not asked" }
        let endpoints: [AbsoluteURL?] =
            [
                metadata.authorizationEndpoint, metadata.tokenEndpoint, metadata.keySetURL, metadata.userInfoEndpoint,
                metadata.revocationEndpoint, metadata.pushedAuthorizationEndpoint,
            ] + metadata.mutualTLSAliases.values.map { Optional($0) }
        for endpoint in endpoints {
            guard let endpoint else { continue }
            guard endpoint.isHTTPS, endpoint.text.hasPrefix("https://"), !endpoint.host.isEmpty else {
                return "an endpoint that is not https"
            }
            guard !endpoint.authority.contains("@"), !endpoint.text.contains("\\"), !endpoint.text.contains("#") else {
                return "an endpoint with user information, a backslash or a fragment"
            }
        }
        for isPushed in [false, true] {
            let endpoint = try? metadata.authorizationEndpoint(
                isPushed: isPushed, hasCode: true, isMutualTLS: false, registersAlgorithms: false,
                verifiesByKeySet: true)
            guard endpoint != nil else { continue }
            guard metadata.tokenEndpoint != nil, metadata.keySetURL != nil, !metadata.idTokenAlgorithms.isEmpty else {
                return "a sign-in that cannot end"
            }
            guard !isPushed || metadata.pushedAuthorizationEndpoint != nil else {
                return "pushed requests, and no endpoint"
            }
        }
        return nil
    }

    @Test(arguments: [false, true])
    func `what is accepted has the issuer that was asked, and https endpoints`(isTemplateAllowed: Bool) throws {
        let driver = ParserDriver(
            name: "metadata", corpus: Self.corpus, dictionary: Self.dictionary, separators: ",",
            seed: isTemplateAllowed ? 11 : 12)
        try driver.run { input in
            do throws(ProviderMetadataError) {
                let metadata = try ProviderMetadata(
                    json: input, issuer: Self.issuer, allowsLoopbackHTTP: false,
                    issuerTemplateAllowed: isTemplateAllowed)
                return ParserDriver.Verdict(Self.violation(of: metadata, isTemplateAllowed: isTemplateAllowed))
            } catch {
                return error.description.contains("evil") ? .violation("an error with a value") : .refused
            }
        }
    }
}
