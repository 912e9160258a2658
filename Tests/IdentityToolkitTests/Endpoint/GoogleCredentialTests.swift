// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// Native ID tokens of the shapes that Google's SDKs get.
struct GoogleCredentialTests {
    private typealias Installation = ToolkitInstallation

    private static let strictKey = "strict-4f1c0000"
    private static let optionalKey = "optional-4f1c00"
    private static let serverClient = "server.apps.googleusercontent.com"

    private func installation() throws -> Installation {
        let apps = [(Self.strictKey, SDKApp.NativeNonce.required), (Self.optionalKey, .optional)].map { key, nonce in
            SDKApp(
                name: "\(nonce)", apiKey: key, authorizedDomains: ["app.example.com"],
                nativeAudiences: [
                    SDKApp.NativeAudience(provider: "oidc.acme", audience: Self.serverClient + "\(nonce)")
                ], nativeNonce: nonce)
        }
        return try Installation(options: Installation.Options(apps: apps))
    }

    /// The message of the error; `nil` if the user is signed in.
    private func refusal(
        _ installation: Installation, key: String, subject: String, nonce: String?, changes: JSONObject
    ) async throws -> String? {
        let token = try installation.token(subject, changes: changes)
        let postBody = "&id_token=\(token)&providerId=oidc.acme" + (nonce.map { "&nonce=\($0)" } ?? "")
        let response = try await installation.respond(
            .post, Installation.toolkit + "accounts:signInWithIdp?key=" + key,
            body: (["requestUri": "http://localhost", "returnSecureToken": true, "postBody": .string(postBody)]
                as JSONObject).serialized())
        let members = try JSONParser.object(
            Array(response.body.readableBytesView), limits: JSONLimits(maximumBytes: 65_536))
        #expect((response.head.status == .ok) == (members.message == nil))
        return members.message
    }

    @Test func `Android: the audience is the app's server client, and the authorized party its Android client`()
        async throws
    {
        let installation = try installation()
        let audience = Self.serverClient + "required"
        for (index, party) in ["android.apps.googleusercontent.com", audience].enumerated() {
            let message = try await refusal(
                installation, key: Self.strictKey, subject: "ada\(index)", nonce: "raw-nonce",
                changes: ["aud": .string(audience), "azp": .string(party)])
            #expect(message == nil)
        }
        let several = try await refusal(
            installation, key: Self.strictKey, subject: "eve", nonce: "raw-nonce",
            changes: ["aud": [.string(audience), "other"], "azp": .string(audience)])
        #expect(several?.hasPrefix("INVALID_IDP_RESPONSE : ") == true)
    }

    @Test func `iOS: a nonce that the app does not know is not compared where a nonce is optional`() async throws {
        let installation = try installation()
        let rows: [(key: String, audience: String, sent: String?, isAccepted: Bool)] = [
            (Self.optionalKey, "optional", nil, true), (Self.optionalKey, "optional", "raw-nonce", true),
            (Self.optionalKey, "optional", "other", false), (Self.strictKey, "required", nil, false),
        ]
        for (index, row) in rows.enumerated() {
            let message = try await refusal(
                installation, key: row.key, subject: "ada\(index)", nonce: row.sent,
                changes: ["aud": .string(Self.serverClient + row.audience)])
            #expect((message == nil) == row.isAccepted, "\(row) \(message ?? "")")
            if !row.isAccepted { #expect(message?.hasPrefix("MISSING_OR_INVALID_NONCE") == true) }
        }
        // Presented, and not in the token.
        let absent = try await refusal(
            installation, key: Self.optionalKey, subject: "eve", nonce: "raw-nonce",
            changes: ["aud": .string(Self.serverClient + "optional"), "nonce": .null])
        #expect(absent?.hasPrefix("MISSING_OR_INVALID_NONCE") == true)
    }
}
