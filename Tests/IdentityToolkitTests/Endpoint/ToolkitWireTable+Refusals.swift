// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting

@testable import IdentityToolkit

// Sign-ins that are refused.
extension ToolkitWireTable {
    // MARK: What is missing

    static let refusedRequests: [Row] = [
        Row(
            "no requestUri", .javaScript, .signInWithIdp, .error(.missingRequestURI),
            json: { ["postBody": .string(try $0.credential()), "returnSecureToken": true] }),
        Row(
            "a requestUri without a scheme", .javaScript, .signInWithIdp, .error(.invalidRequestURI),
            json: { ["requestUri": "localhost", "postBody": .string(try $0.credential())] }),
        Row(
            "a requestUri of another scheme", .android, .signInWithIdp, .error(.invalidRequestURI),
            json: { ["requestUri": "javascript:alert(1)", "postBody": .string(try $0.credential())] }),
        Row(
            "no postBody", .cpp, .signInWithIdp, .error(.invalidCredentialOrProviderID), json: { $0.signIn(nil) }),
        Row(
            "no ID token", .ios, .signInWithIdp, .error(.invalidCredentialOrProviderID),
            json: { $0.signIn("providerId=oidc.acme&nonce=n") }),
        Row(
            "no provider", .javaScript, .signInWithIdp, .error(.invalidCredentialOrProviderID, "providerId"),
            json: { $0.signIn("&id_token=" + (try $0.token()) + "&nonce=raw-nonce") }),
        Row(
            "an access token alone", .javaScript, .signInWithIdp, .error(.operationNotAllowed, "ID token"),
            json: { $0.signIn("&access_token=" + accessToken + "&providerId=facebook.com") }),
        Row(
            "an access token with its secret", .ios, .signInWithIdp, .error(.operationNotAllowed, "ID token"),
            json: { $0.signIn("providerId=twitter.com&access_token=a&oauth_token_secret=s") }),
        Row(
            "an authorization code", .cpp, .signInWithIdp, .error(.operationNotAllowed, "ID token"),
            json: { $0.signIn("code=4%2F0AX4&providerId=playgames.google.com") }),
        Row(
            "the return to the handler page", .android, .signInWithIdp, .error(.invalidIdpResponse, "handler"),
            json: { scene in
                var request = scene.signIn("providerId=oidc.acme")
                request["requestUri"] = "https://auth.example.com/__/auth/handler?code=t1cket&state=s"
                return request
            }),
        Row(
            "the return to the handler page, with an ID token beside", .ios, .signInWithIdp,
            .error(.invalidIdpResponse, "handler"),
            json: { scene in
                var request = scene.signIn(try scene.credential())
                request["requestUri"] = "https://auth.example.com/__/auth/handler"
                return request
            }),
        Row(
            "a tenant", .javaScript, .signInWithIdp, .error(.unsupportedTenantOperation, "tenantId"),
            json: { scene in
                var request = scene.signIn(try scene.credential())
                request["tenantId"] = "tenant-1"
                return request
            }),
    ]

    // MARK: What is no credential

    static let refusedCredentials: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "a provider that is not there", client, .signInWithIdp,
                .error(.invalidProviderID, "INVALID_PROVIDER_ID : Provider Id is not supported."),
                json: { $0.signIn($0.postBody(try $0.token(), at: "oidc.none")) }),
            Row(
                "no nonce", client, .signInWithIdp, .error(.missingOrInvalidNonce),
                json: { $0.signIn($0.postBody(try $0.token(), nonce: nil)) }),
            Row(
                "another nonce", client, .signInWithIdp, .error(.missingOrInvalidNonce, "SHA-256"),
                json: { $0.signIn($0.postBody(try $0.token(nonce: "other"))) }),
            Row(
                "an ID token without the nonce", client, .signInWithIdp, .error(.missingOrInvalidNonce),
                json: { $0.signIn(try $0.credential(at: "apple.com", changes: ["nonce": .null])) }),
            Row(
                "the hash in the place of the nonce", client, .signInWithIdp, .error(.missingOrInvalidNonce),
                json: { scene in
                    let hash = "e9a4c2c1b1d7f4c05a2f0a4f2f5b4f3e1d2c3b4a5968778695a4b3c2d1e0f9a8"
                    let idToken = try scene.token(changes: ["nonce": .string(hash)])
                    return scene.signIn(scene.postBody(idToken, nonce: hash))
                }),
            Row(
                "an altered ID token", client, .signInWithIdp, .error(.invalidIdpResponse),
                json: { $0.signIn($0.postBody(try $0.token() + "A")) }),
        ]
    }

    static let otherCredentials: [Row] = [
        Row(
            "the ID token of another provider", .ios, .signInWithIdp, .error(.invalidIdpResponse),
            json: { $0.signIn($0.postBody(try $0.token(at: "oidc.bold"))) }),
        Row(
            "the ID token of another app", .android, .signInWithIdp, .error(.invalidIdpResponse, "audience"),
            json: { $0.signIn(try $0.credential(changes: ["aud": .string(Client.ios.audience)])) }),
        Row(
            "the ID token of a sign-in in the browser", .javaScript, .signInWithIdp,
            .error(.invalidIdpResponse, "audience"),
            json: { $0.signIn(try $0.credential(changes: ["aud": "broker"])) }),
        Row(
            "an ID token for two apps", .javaScript, .signInWithIdp, .error(.invalidIdpResponse, "audience"),
            json: { scene in
                let audiences: JSONValue = [.string(scene.client.audience), "another"]
                return scene.signIn(try scene.credential(changes: ["aud": audiences]))
            }),
        Row(
            "an ID token that is too old", .cpp, .signInWithIdp, .error(.invalidIdpResponse, "issued at"),
            json: { scene in
                let expiry: JSONValue = .number(JSONNumber(scene.installation.clock.now() + 3600))
                let request = scene.signIn(try scene.credential(changes: ["exp": expiry]))
                scene.installation.clock.advance(by: 361)
                return request
            }),
        Row(
            "an ID token that has expired", .javaScript, .signInWithIdp, .error(.invalidIdpResponse),
            json: { scene in
                let expiry: JSONValue = .number(JSONNumber(scene.installation.clock.now() - 120))
                return scene.signIn(try scene.credential(changes: ["exp": expiry]))
            }),
        Row(
            "an ID token of other characters", .javaScript, .signInWithIdp, .error(.invalidIdpResponse),
            json: { $0.signIn("&id_token=e%20y&providerId=oidc.acme&nonce=n") }),
        Row(
            "an ID token of the accounts", .javaScript, .signInWithIdp, .error(.invalidIdpResponse),
            json: { $0.signIn($0.postBody(try await $0.session().idToken)) }),
        Row(
            "an ID token that was used", .ios, .signInWithIdp, .error(.invalidIdpResponse, "used before"),
            json: { scene in
                let request = scene.signIn(try scene.credential())
                try await scene.answer(.signInWithIdp, request)
                return request
            }),
        Row(
            "an ID token from before the sessions were ended", .ios, .signInWithIdp,
            .error(.invalidIdpResponse, "verify again"),
            json: { scene in
                let session = try await scene.session()
                let request = scene.signIn(try scene.credential())
                scene.installation.clock.advance(by: 1)
                try scene.endSessions(of: session)
                return request
            }),
    ]

    // MARK: Who may not sign in

    static let strangers: [Row] = [Client.javaScript, .ios, .android].map { client -> Row in
        Row(
            "a re-authentication without an account", client, .signInWithIdp, .error(.emailNotFound),
            json: { $0.signIn(try $0.credential(), autoCreate: false) })
    }

    static let refusedSignIns: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "a disabled account", client, .signInWithIdp, .error(.userDisabled),
                json: { scene in
                    try scene.disable(try await scene.session())
                    return scene.signIn(try scene.credential())
                }),
            Row(
                "a new user where no accounts are made", client, .signInWithIdp, .error(.adminOnlyOperation),
                options: Scene.Options(policy: AccountPolicy(makesAccounts: false)),
                json: { $0.signIn(try $0.credential()) }),
        ]
    }

    // MARK: What is not linked

    static let refusedLinks: [Row] = [
        Row(
            "linking what belongs to another account", .javaScript, .signInWithIdp,
            .error(.federatedUserIDAlreadyLinked), json: linkOfAnother),
        Row(
            "linking what belongs to another account", .cpp, .signInWithIdp, .error(.federatedUserIDAlreadyLinked),
            json: linkOfAnother),
        Row(
            "linking an address of another account", .javaScript, .signInWithIdp, .error(.emailExists),
            json: linkOfAddress),
        Row(
            "linking an address of another account", .cpp, .signInWithIdp, .error(.emailExists), json: linkOfAddress),
        Row(
            "linking the identity that one has", .javaScript, .signInWithIdp, .error(.providerAlreadyLinked),
            json: { scene in
                let idToken = try await scene.session().idToken
                return scene.signIn(try scene.credential(), idToken: idToken)
            }),
        Row(
            "linking another identity of a provider", .ios, .signInWithIdp, .error(.providerAlreadyLinked),
            json: { scene in
                let idToken = try await scene.session().idToken
                return scene.signIn(try scene.credential("bea"), idToken: idToken)
            }),
        Row(
            "linking one identity more than an account may have", .android, .signInWithIdp,
            .error(.operationNotAllowed, "20 providers"),
            json: { scene in
                let session = try await scene.session()
                try scene.addIdentities(19, to: session)
                return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: session.idToken)
            }),
        Row(
            "linking as many identities as an account may have", .android, .signInWithIdp, .members(person),
            json: { scene in
                let session = try await scene.session()
                try scene.addIdentities(18, to: session)
                return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: session.idToken)
            }),
        Row(
            "linking long after the sign-in", .javaScript, .signInWithIdp, .error(.credentialTooOld),
            json: linkOfOldSession),
        Row(
            "linking long after the sign-in, where the operator allows it", .javaScript, .signInWithIdp,
            .members(person),
            options: Scene.Options(policy: AccountPolicy(operationsAfterRecentSignIn: [.delete])),
            json: linkOfOldSession),
        Row(
            "linking with an ID token that is none", .javaScript, .signInWithIdp, .error(.invalidIDToken),
            json: { $0.signIn(try $0.credential("bea", at: "oidc.bold"), idToken: "h.p.s") }),
        Row(
            "linking with the ID token of the provider", .ios, .signInWithIdp, .error(.invalidIDToken),
            json: { scene in
                let idToken = try scene.token()
                return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: idToken)
            }),
        Row(
            "linking with a session that has ended", .cpp, .signInWithIdp, .error(.tokenExpired),
            json: { scene in
                let session = try await scene.session()
                try scene.endSessions(of: session)
                return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: session.idToken)
            }),
        Row(
            "linking to a disabled account", .ios, .signInWithIdp, .error(.userDisabled),
            json: { scene in
                let session = try await scene.session()
                try scene.disable(session)
                return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: session.idToken)
            }),
    ]
}
