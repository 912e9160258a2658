// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting

@testable import IdentityToolkit

// Lookups, deletions, and what is asked about an address or the project.
extension ToolkitWireTable {
    // MARK: Lookup

    private static let lookedUp: [String: JSONValue] = [
        "kind": "identitytoolkit#GetAccountInfoResponse", "users/1": .null, "users/0/emailVerified": false,
        "users/0/createdAt": "1800000000000", "users/0/lastLoginAt": "1800000000000", "users/0/validSince": "0",
        "users/0/lastRefreshAt": "2027-01-15T08:00:00Z", "users/0/email": .null,
        "users/0/providerUserInfo/0/providerId": "oidc.acme",
        "users/0/providerUserInfo/0/rawId": "ada", "users/0/providerUserInfo/0/federatedId": "ada",
        "users/0/providerUserInfo/1": .null,
    ]

    static let lookups: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "a user", client, .lookup, .members(["kind", "users"], lookedUp), json: { try await $0.asking() }),
            Row(
                "a user with an address, claims, two providers and a refresh", client, .lookup,
                .members(
                    ["kind", "users"],
                    [
                        "users/0/email": "Ada@example.com", "users/0/emailVerified": true,
                        "users/0/customAttributes": "{\"role\":\"admin\"}",
                        "users/0/lastRefreshAt": "2027-01-15T08:00:00Z",
                        "users/0/providerUserInfo/0/email": "Ada@example.com",
                        "users/0/providerUserInfo/1/providerId": "oidc.bold",
                        "users/0/providerUserInfo/1/rawId": "bea",
                    ]),
                json: { scene in
                    let session = try await scene.session(email: "Ada@example.com")
                    _ = try await scene.session("bea", at: "oidc.bold", linkingTo: session.idToken)
                    try scene.setCustomClaims("{\"role\":\"admin\"}", of: session)
                    try await scene.answer(.token, Scene.refresh(session))
                    return ["idToken": .string(session.idToken)]
                }),
            Row(
                "a user whose device slept", client, .lookup, .members(["kind", "users"]),
                json: { scene in
                    let request = try await scene.asking()
                    scene.installation.clock.advance(by: 3899)
                    return request
                }),
        ]
    }

    // MARK: Deletion

    static let deletions: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "a deletion", client, .delete,
                .members(["kind"], ["kind": "identitytoolkit#DeleteAccountResponse"]),
                json: { scene in
                    // The SDK for Apple's systems says whose account it is; the account is that of the session.
                    try await scene.asking(scene.client == .ios ? ["localId": "somebody-else"] : [:])
                }),
            Row(
                "a deletion just within the time after the sign-in", client, .delete, .members(["kind"]),
                json: { scene in
                    let request = try await scene.asking()
                    scene.installation.clock.advance(by: 299)
                    return request
                }),
            Row(
                "a deletion long after the sign-in", client, .delete, .error(.credentialTooOld),
                json: { scene in
                    let request = try await scene.asking()
                    scene.installation.clock.advance(by: 300)
                    return request
                }),
        ]
    }

    // MARK: Sessions that are dead, and requests without one

    /// What is asked with the ID token of a session.
    private static let requests: [(operation: ToolkitOperation, members: JSONObject)] = [
        (.lookup, [:]), (.update, ["displayName": "Ada"]), (.update, ["deleteProvider": ["oidc.acme"]]), (.delete, [:]),
        (.revokeToken, ["providerId": "apple.com", "tokenType": "CODE", "token": "c0de"]),
    ]

    static let deadSessions: [Row] = requests.enumerated().flatMap { number, request -> [Row] in
        let client = Client.allCases[number % Client.allCases.count]
        let (operation, members) = request
        func row(
            _ name: String, _ code: ToolkitError.Code, _ idToken: @escaping @Sendable (Scene) async throws -> JSONValue
        ) -> Row {
            Row(
                "\(name), \(number)", client, operation, .error(code),
                json: { scene in
                    var request = members
                    request["idToken"] = try await idToken(scene)
                    return request
                })
        }
        return [
            Row("no ID token, \(number)", client, operation, .error(.missingIDToken), json: { _ in members }),
            row("an empty ID token", .missingIDToken) { _ in "" },
            row("null in the place of the ID token", .missingIDToken) { _ in .null },
            row("an ID token that is none", .invalidIDToken) { _ in "h.p.s" },
            row("an ID token of other characters", .invalidIDToken) { _ in "h.p.s\u{E9}" },
            row("an ID token of a provider", .invalidIDToken) { .string(try $0.token()) },
            row("an altered ID token", .invalidIDToken) { .string(try await $0.session().idToken + "A") },
            row("a refresh token", .invalidIDToken) { .string(try await $0.session().refreshToken) },
            row("an ID token that expired more than five minutes ago", .tokenExpired) { scene in
                let session = try await scene.session()
                scene.installation.clock.advance(by: 3900)
                return .string(session.idToken)
            },
            row("a session that has ended", .tokenExpired) { scene in
                let session = try await scene.session()
                try scene.endSessions(of: session)
                return .string(session.idToken)
            },
            row("a deleted account", .tokenExpired) { scene in
                let session = try await scene.session()
                try await scene.answer(.delete, ["idToken": .string(session.idToken)])
                return .string(session.idToken)
            },
            row("a disabled account", .userDisabled) { scene in
                let session = try await scene.session()
                try scene.disable(session)
                return .string(session.idToken)
            },
            Row(
                "a tenant, \(number)", client, operation, .error(.unsupportedTenantOperation),
                json: { _ in
                    var request = members
                    request["tenantId"] = "tenant-1"
                    return request
                }),
        ]
    }

    // MARK: What is public

    static let addresses: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "the ways of an address", client, .createAuthUri,
                .members(["kind", "sessionId"], ["kind": "identitytoolkit#CreateAuthUriResponse"]),
                json: { _ in ["identifier": "ada@example.com", "continueUri": "http://localhost"] }),
            Row(
                "the ways of an address that an account has proved", client, .createAuthUri,
                .members(["kind", "sessionId"]),
                json: { scene in
                    _ = try await scene.session(email: "ada@example.com")
                    return ["identifier": "ada@example.com", "continueUri": "http://localhost"]
                }),
            Row(
                "the session of the client", client, .createAuthUri,
                .members(["kind", "sessionId"], ["sessionId": "s3ssion \u{E9}"]),
                json: { _ in ["identifier": "ada@example.com", "sessionId": "s3ssion \u{E9}"] }),
            Row(
                "no address", client, .createAuthUri, .error(.missingIdentifier),
                json: { _ in ["continueUri": "http://localhost"] }),
            Row(
                "a sign-in that begins here", client, .createAuthUri, .error(.operationNotAllowed, "handler"),
                json: { _ in ["providerId": "oidc.acme", "continueUri": "http://localhost"] }),
            Row(
                "an address in a tenant", client, .createAuthUri, .error(.unsupportedTenantOperation),
                json: { _ in ["identifier": "ada@example.com", "tenantId": "tenant-1"] }),
        ]
    }

    static let projects: [Row] = [
        Row(
            "the project", .javaScript, .project,
            .members(
                ["projectId", "authorizedDomains"],
                ["projectId": "222513793359", "authorizedDomains": ["app.example.com"]]),
            method: .get, bytes: { _ in [] }),
        Row(
            "the project", .ios, .project,
            .members(["projectId", "authorizedDomains"], ["projectId": "222513793359", "authorizedDomains": []]),
            method: .get, bytes: { _ in [] }),
        Row(
            "the project, with the bundle ID", .ios, .project, .members(["projectId", "authorizedDomains"]),
            method: .get, query: "key=ios-4f1c0000&iosBundleId=ios-at-provider&returnDynamicLink=true",
            bytes: { _ in [] }),
        Row(
            "the project, asked with a body", .android, .project, .members(["projectId", "authorizedDomains"]),
            json: { _ in ["androidPackageName": "com.example.app", "sha1Cert": "00"] }),
        Row(
            "the project", .cpp, .project, .members(["projectId", "authorizedDomains"]), method: .get,
            bytes: { _ in [] }),
    ]
}
