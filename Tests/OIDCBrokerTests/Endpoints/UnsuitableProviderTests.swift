// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// What the metadata tell of sign-ins that cannot succeed is told before the user leaves.
struct UnsuitableProviderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var metadata: JSONObject = [:]
        let label: String
        var configure: @Sendable (inout ProviderConfiguration) -> Void = { _ in }
    }

    static let cases = [
        Case(
            testDescription: "no client authentication in common",
            metadata: ["token_endpoint_auth_methods_supported": ["private_key_jwt"]], label: "failed_token"),
        Case(
            testDescription: "no algorithm of it in common",
            metadata: [
                "token_endpoint_auth_methods_supported": ["client_secret_jwt"],
                "token_endpoint_auth_signing_alg_values_supported": ["RS256"],
            ], label: "failed_token"),
        Case(
            testDescription: "signed requests alone, and no key to sign with",
            metadata: ["require_signed_request_object": true], label: "failed_discovery"),
        Case(testDescription: "no UserInfo", label: "failed_user_info") { $0.userInfo = true },
        Case(testDescription: "no algorithm of ID tokens in common", label: "failed_id_token") {
            $0.idTokenAlgorithms = ["RS512"]
        },
    ]

    @Test(arguments: cases) func `the app is told at the start, and the operator when the metadata come`(
        one: Case
    ) throws {
        let installation = try Installation { one.configure(&$0.providers[0].configuration) }
        installation.provider.behave { $0.metadata = one.metadata }
        for _ in 0..<2 {
            let location = try Location(try installation.get(AppClient.shop.target()))
            location.expectError("temporarily_unavailable")
        }
        let warnings = installation.log.lines.filter { $0.message.hasPrefix("provider unusable") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.level == .warning)
        #expect(installation.log.outcomes.allSatisfy { $0 == one.label })
        #expect(installation.provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test func `an algorithm that is the default of the standard alone is not held against it`() throws {
        let installation = try Installation { $0.providers[0].configuration.idTokenAlgorithms = ["ES256"] }
        installation.provider.behave { $0.metadata = ["id_token_signing_alg_values_supported": .null] }
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
    }
}
