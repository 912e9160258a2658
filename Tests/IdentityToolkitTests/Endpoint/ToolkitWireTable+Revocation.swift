// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import TestingSupport

@testable import IdentityToolkit

// Revocations at Apple, and what is not offered.
extension ToolkitWireTable {
    /// A code as Apple gives an app one.
    private static let code = "c0de.0.rxyz.A-code-of-Apple_that-is-long-enough-to-be-found-again"

    /// A request with an authorization code of a user who signed in at Apple.
    private static func revocation(_ scene: Scene, _ tokenType: JSONValue) async throws -> JSONObject {
        try scene.acceptCodes()
        return try await scene.asking(
            ["providerId": "apple.com", "tokenType": tokenType, "token": .string(code)], at: "apple.com")
    }

    /// A request with the access token that came back from a sign-in.
    private static func revocationOfToken(_ scene: Scene, _ tokenType: JSONValue) async throws -> JSONObject {
        let session = try await scene.session(at: "apple.com", accessToken: accessToken)
        return [
            "idToken": .string(session.idToken), "providerId": "apple.com", "tokenType": tokenType,
            "token": .string(accessToken),
        ]
    }

    static let revocations: [Row] = [
        Row("a code", .ios, .revokeToken, .members([]), json: { try await revocation($0, "3") }),
        Row("a code", .android, .revokeToken, .members([]), json: { try await revocation($0, "CODE") }),
        Row(
            "a code, by the number of the type", .cpp, .revokeToken, .members([]), json: { try await revocation($0, 3) }
        ),
        Row(
            "a code with a redirect URI", .javaScript, .revokeToken, .members([]),
            json: { scene in
                var request = try await revocation(scene, "CODE")
                request["redirectUri"] = "https://auth.example.com/__/auth/handler"
                return request
            }),
        Row(
            "a code that is a number, in snake case", .android, .revokeToken, .members([]),
            text: { scene in
                try scene.acceptCodes()
                let idToken = try await scene.session(at: "apple.com").idToken
                return #"{"id_token":"\#(idToken)","provider_id":"apple.com","token_type":"3","token":12345}"#
            }),
        Row(
            "a code after the revocation", .ios, .revokeToken, .members([]),
            json: { scene in
                let request = try await revocation(scene, "3")
                try await scene.answer(.revokeToken, request)
                scene.provider("apple.com") {
                    $0.responses["/token"] = .json(["error": "invalid_grant"], status: 400)
                }
                return request
            }),
        Row(
            "an access token", .javaScript, .revokeToken, .members([]),
            json: { try await revocationOfToken($0, "ACCESS_TOKEN") }),
        Row(
            "an access token, by the text of the number", .ios, .revokeToken, .members([]),
            json: { try await revocationOfToken($0, "2") }),
    ]

    static let refusedRevocations: [Row] = [
        Row(
            "a code that was used", .ios, .revokeToken, .error(.invalidIdpResponse, "again"),
            json: { scene in
                let request = try await revocation(scene, "3")
                scene.provider("apple.com") {
                    $0.responses["/token"] = .json(["error": "invalid_grant"], status: 400)
                }
                return request
            }),
        Row(
            "a code of another user", .ios, .revokeToken, .error(.invalidIdpResponse, "again"),
            json: { scene in
                let request = try await revocation(scene, "3")
                try scene.acceptCodes(of: "eve")
                return request
            }),
        Row(
            "an access token of an unknown user", .javaScript, .revokeToken, .error(.invalidIdpResponse, "again"),
            json: { scene in
                var request = try await revocationOfToken(scene, "ACCESS_TOKEN")
                request["token"] = "ya29.another-access-token-of-an-entirely-unknown-user"
                return request
            }),
        Row(
            "an account without Apple", .android, .revokeToken, .error(.invalidIdpResponse, "no identity"),
            json: { try await $0.asking(["providerId": "apple.com", "tokenType": "CODE", "token": .string(code)]) }),
        Row(
            "a refresh token of Apple", .javaScript, .revokeToken, .error(.operationNotAllowed, "authorization code"),
            json: { try await revocation($0, "REFRESH_TOKEN") }),
        Row(
            "a refresh token of Apple, by the text of the number", .ios, .revokeToken, .error(.operationNotAllowed),
            json: { try await revocation($0, "1") }),
        Row(
            "another provider than Apple", .javaScript, .revokeToken, .error(.operationNotAllowed, "not Apple"),
            json: { try await $0.asking(["providerId": "oidc.acme", "tokenType": "CODE", "token": .string(code)]) }),
        Row(
            "a provider that is not there", .javaScript, .revokeToken, .error(.invalidProviderID),
            json: { try await $0.asking(["providerId": "oidc.none", "tokenType": "CODE", "token": .string(code)]) }),
        Row(
            "no provider", .ios, .revokeToken, .error(.invalidProviderID),
            json: { try await $0.asking(["tokenType": "3", "token": .string(code)]) }),
        Row(
            "no code", .ios, .revokeToken, .error(.invalidArgument, "token"),
            json: { try await $0.asking(["providerId": "apple.com", "tokenType": "3"]) }),
        Row(
            "no type", .javaScript, .revokeToken, .error(.invalidArgument, "tokenType"),
            json: { try await $0.asking(["providerId": "apple.com", "token": .string(code)]) }),
        Row(
            "a type that is none", .android, .revokeToken, .error(.invalidArgument, "tokenType"),
            json: { try await revocation($0, "4") }),
        Row(
            "a code of other characters", .ios, .revokeToken, .error(.invalidIdpResponse, "characters"),
            json: { try await $0.asking(["providerId": "apple.com", "tokenType": "3", "token": "c0de\n"]) }),
        Row(
            "a redirect URI that is none", .javaScript, .revokeToken, .error(.invalidArgument, "redirectUri"),
            json: { scene in
                var request = try await revocation(scene, "CODE")
                request["redirectUri"] = "a b"
                return request
            }),
    ]

    // MARK: What is not offered

    private static let notOffered = [
        "/identitytoolkit.googleapis.com/v1/accounts:": [
            "signUp", "signInWithPassword", "signInWithCustomToken", "signInWithEmailLink", "signInWithPhoneNumber",
            "signInWithGameCenter", "sendVerificationCode", "sendOobCode", "resetPassword", "verifyIosClient",
        ],
        "/identitytoolkit.googleapis.com/v1/": ["recaptchaParams"],
        "/identitytoolkit.googleapis.com/v2/accounts/": [
            "mfaEnrollment:start", "mfaEnrollment:finalize", "mfaEnrollment:withdraw", "mfaSignIn:start",
            "mfaSignIn:finalize", "passkeyEnrollment:start", "passkeyEnrollment:finalize", "passkeySignIn:start",
            "passkeySignIn:finalize",
        ],
        "/identitytoolkit.googleapis.com/v2/": ["recaptchaConfig", "passwordPolicy"],
        ToolkitInstallation.legacy: [
            "signupNewUser", "verifyPassword", "verifyCustomToken", "emailLinkSignin", "verifyPhoneNumber",
            "signInWithGameCenter", "sendVerificationCode", "getOobConfirmationCode", "resetPassword", "verifyClient",
            "getRecaptchaParam", "signOutUser",
        ],
    ]

    static let unsupported: [Row] = notOffered.sorted { $0.key < $1.key }.flatMap { prefix, names -> [Row] in
        let isLegacy = prefix == ToolkitInstallation.legacy
        return names.flatMap { name -> [Row] in
            [
                Row(
                    name, isLegacy ? .ios : .javaScript, .unsupported,
                    .error(.operationNotAllowed, "OpenID Providers"), path: prefix + name,
                    json: { _ in ["email": "ada@example.com", "password": "pass-word-1", "returnSecureToken": true] }),
                Row(
                    "\(name), asked without a body", isLegacy ? .cpp : .javaScript, .unsupported,
                    .error(.operationNotAllowed), method: .get, path: prefix + name, bytes: { _ in [] }),
            ]
        }
    }
}
