// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting

@testable import IdentityToolkit

// Linking, and credentials that come back since they did not sign in.
extension ToolkitWireTable {
    /// The members of a response that hands a credential back.
    static let inUse = [
        "errorMessage", "providerId", "federatedId", "rawUserInfo", "oauthIdToken", "pendingToken",
    ]
    static let confirmation = [
        "needConfirmation", "verifiedProvider", "providerId", "federatedId", "rawUserInfo", "email", "oauthIdToken",
        "pendingToken",
    ]

    /// Links an identity that belongs to another account.
    static let linkOfAnother: @Sendable (Scene) async throws -> JSONObject = { scene in
        _ = try await scene.session("bea", at: "oidc.bold")
        return scene.signIn(
            try scene.credential("bea", at: "oidc.bold"), idToken: try await scene.session().idToken)
    }

    /// Links an identity whose address another account has proved too.
    static let linkOfAddress: @Sendable (Scene) async throws -> JSONObject = { scene in
        _ = try await scene.session("eve", email: "shared@example.com")
        return scene.signIn(
            try scene.credential("bea", at: "oidc.bold", email: "Shared@example.com"),
            idToken: try await scene.session().idToken)
    }

    /// Links with an ID token that is valid, of a session that began five minutes ago.
    static let linkOfOldSession: @Sendable (Scene) async throws -> JSONObject = { scene in
        let idToken = try await scene.session().idToken
        scene.installation.clock.advance(by: 300)
        return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: idToken)
    }

    static let links: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "linking an identity", client, .signInWithIdp,
                .members(person, ["providerId": "oidc.bold", "federatedId": "bea"]),
                json: { scene in
                    let idToken = try await scene.session().idToken
                    return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: idToken)
                }),
            Row(
                "linking Apple, with a name", client, .signInWithIdp,
                .members(
                    person + ["firstName", "lastName", "fullName", "displayName"],
                    ["providerId": "apple.com", "fullName": "Ada & Eve Lovelace"]),
                json: { scene in
                    let idToken = try await scene.session().idToken
                    let user = Scene.user("Ada & Eve", "Lovelace")
                    return scene.signIn(try scene.credential(at: "apple.com", user: user), idToken: idToken)
                }),
        ]
    }

    static let conflicts: [Row] = [Client.ios, .android].flatMap { client -> [Row] in
        [
            Row(
                "linking what belongs to another account", client, .signInWithIdp,
                .members(inUse, ["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED", "providerId": "oidc.bold"]),
                json: linkOfAnother),
            Row(
                "linking an address of another account", client, .signInWithIdp,
                .members(
                    inUse + ["email"],
                    ["errorMessage": "EMAIL_EXISTS", "email": "Shared@example.com", "providerId": "oidc.bold"]),
                json: linkOfAddress),
        ]
    }

    static let confirmations: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "a proved address that another account has proved", client, .signInWithIdp,
                .members(
                    confirmation,
                    [
                        "needConfirmation": true, "email": "Ada@example.com", "verifiedProvider": ["oidc.acme"],
                        "providerId": "oidc.bold",
                    ]),
                json: { scene in
                    _ = try await scene.session("eve", email: "ada@example.com")
                    return scene.signIn(try scene.credential(at: "oidc.bold", email: "Ada@example.com"))
                }),
            Row(
                "a proved address that another subject of the same provider has proved", client, .signInWithIdp,
                .error(.emailExists, "another user"),
                json: { scene in
                    _ = try await scene.session("eve", email: "ada@example.com")
                    return scene.signIn(try scene.credential(email: "Ada@example.com"))
                }),
            Row(
                "an address that another account has proved, and the newcomer has not", client, .signInWithIdp,
                .members(
                    newPerson + ["email", "emailVerified"], ["email": "ada@example.com", "emailVerified": false]),
                json: { scene in
                    _ = try await scene.session("eve", email: "ada@example.com")
                    return scene.signIn(
                        try scene.credential(at: "oidc.bold", email: "ada@example.com", isVerified: false))
                }),
        ]
    }

    static let otherConflicts: [Row] = [
        Row(
            "linking what belongs to another account, in a popup window", .javaScript, .signInWithIdp,
            .members(inUse, ["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED"]),
            json: { scene in
                var request = try await linkOfAnother(scene)
                request["returnIdpCredential"] = true
                return request
            }),
        Row(
            "a proved address of an account that is found by it", .javaScript, .signInWithIdp,
            .members(person + ["email", "emailVerified"], ["providerId": "oidc.bold"]),
            options: Scene.Options(policy: AccountPolicy(providersThatLinkByEmail: linkingProviders)),
            json: { scene in
                _ = try await scene.session("eve", email: "ada@example.com")
                return scene.signIn(try scene.credential(at: "oidc.bold", email: "ada@example.com"))
            }),
    ]

    private static let linkingProviders: Set<LinkingProvider> = [
        LinkingProvider(id: "oidc.acme", issuer: "https://login.acme.example"),
        LinkingProvider(id: "oidc.bold", issuer: "https://login.bold.example"),
    ]

    // MARK: The credential that came back

    static let pendingCredentials: [Row] = [
        Row(
            "a pending credential alone", .javaScript, .signInWithIdp,
            .members(person, ["providerId": "oidc.bold", "federatedId": "bea"]),
            json: { $0.signIn(nil, pendingToken: try await $0.pendingCredential().text) }),
        Row(
            "a pending credential with null beside", .javaScript, .signInWithIdp, .members(person),
            json: { scene in
                var request = scene.signIn(nil, pendingToken: try await scene.pendingCredential().text)
                for name in ["postBody", "idToken", "sessionId", "tenantId"] { request[name] = .null }
                return request
            }),
        Row(
            "a pending credential beside the stale ID token", .ios, .signInWithIdp,
            .members(person, ["providerId": "oidc.bold", "federatedId": "bea"]),
            json: { scene in
                let pending = try await scene.pendingCredential()
                return scene.signIn(
                    scene.postBody(pending.idToken, at: "oidc.bold", nonce: nil), pendingToken: pending.text)
            }),
        Row(
            "a pending credential in postBody", .android, .signInWithIdp, .members(person, ["federatedId": "bea"]),
            json: { scene in
                let pending = try await scene.pendingCredential()
                return scene.signIn("providerId=oidc.bold&pendingToken=" + pending.text)
            }),
        Row(
            "a pending credential that is linked", .ios, .signInWithIdp, .error(.federatedUserIDAlreadyLinked),
            json: { scene in
                let pending = try await scene.pendingCredential()
                var request = scene.signIn(
                    nil, idToken: try await scene.session("eve").idToken, pendingToken: pending.text)
                request["returnIdpCredential"] = false
                return request
            }),
        Row(
            "a pending credential that was used", .javaScript, .signInWithIdp,
            .error(.invalidIdpResponse, "used before"),
            json: { scene in
                let request = scene.signIn(nil, pendingToken: try await scene.pendingCredential().text)
                try await scene.answer(.signInWithIdp, request)
                return request
            }),
        Row(
            "the ID token of a pending credential that was used", .ios, .signInWithIdp,
            .error(.invalidIdpResponse, "used before"),
            json: { scene in
                let pending = try await scene.pendingCredential()
                try await scene.answer(.signInWithIdp, scene.signIn(nil, pendingToken: pending.text))
                return scene.signIn(scene.postBody(pending.idToken, at: "oidc.bold"))
            }),
        Row(
            "a pending credential after half an hour", .javaScript, .signInWithIdp, .error(.invalidPendingToken),
            json: { scene in
                let request = scene.signIn(nil, pendingToken: try await scene.pendingCredential().text)
                scene.installation.clock.advance(by: 1800)
                return request
            }),
        Row(
            "a made-up pending credential", .javaScript, .signInWithIdp, .error(.invalidPendingToken),
            json: { $0.signIn(nil, pendingToken: "AQ" + String(repeating: "A", count: 300)) }),
        Row(
            "two pending credentials", .ios, .signInWithIdp, .error(.invalidPendingToken),
            json: { scene in
                let pending = try await scene.pendingCredential()
                return scene.signIn("providerId=oidc.bold&pendingToken=x", pendingToken: pending.text)
            }),
        Row(
            "a pending credential of one provider with the name of another", .ios, .signInWithIdp,
            .error(.invalidIdpResponse, "two providers"),
            json: { scene in
                let pending = try await scene.pendingCredential()
                return scene.signIn("providerId=oidc.acme", pendingToken: pending.text)
            }),
    ]
}
