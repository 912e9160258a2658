// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import TestingSupport

@testable import IdentityToolkit

// Too many attempts, and failures, which sign no user out.
extension ToolkitWireTable {
    // MARK: Too many attempts

    private static func isSignIn(_ operation: LimitedAccountOperation) -> Bool {
        if case .signIn = operation { true } else { false }
    }

    private static func isNewAccount(_ operation: LimitedAccountOperation) -> Bool { operation == .newAccount }

    private static func isWrite(_ operation: LimitedAccountOperation) -> Bool {
        if case .write = operation { true } else { false }
    }

    private static func isAttempt(_ operation: LimitedAccountOperation) -> Bool {
        if case .attempt = operation { true } else { false }
    }

    private static func isRefresh(_ operation: LimitedAccountOperation) -> Bool {
        if case .refresh = operation { true } else { false }
    }

    /// A lookup that counts for the session, or for the account.
    private static func isLookup(_ operation: LimitedAccountOperation) -> Bool {
        switch operation {
        case .lookup, .lookups, .use: true
        case .signIn, .attempt, .write, .refresh, .appRefresh, .newAccount, .newAccountFrom: false
        }
    }

    private static func isLookupOfAccount(_ operation: LimitedAccountOperation) -> Bool {
        if case .lookups = operation { true } else { false }
    }

    static let tooMany: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "too many sign-ins of an identity", client, .signInWithIdp, .error(.tooManyAttempts),
                json: { scene in
                    scene.limiter.refuse { isSignIn($0) }
                    return scene.signIn(try scene.credential())
                }),
            Row(
                "too many new accounts", client, .signInWithIdp, .error(.tooManyAttempts),
                json: { scene in
                    scene.limiter.refuse { isNewAccount($0) }
                    return scene.signIn(try scene.credential())
                }),
            Row(
                "a user who is known, while too many accounts are made", client, .signInWithIdp, .members(person),
                json: { scene in
                    _ = try await scene.session()
                    scene.limiter.refuse { isNewAccount($0) }
                    return scene.signIn(try scene.credential())
                }),
            Row(
                "too many links", client, .signInWithIdp, .error(.tooManyAttempts),
                json: { scene in
                    let idToken = try await scene.session().idToken
                    scene.limiter.refuse { isAttempt($0) }
                    return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: idToken)
                }),
            Row(
                "too many changes of an account", client, .update, .error(.tooManyAttempts),
                json: { scene in
                    let request = try await scene.asking(["displayName": "Ada"])
                    scene.limiter.refuse { isWrite($0) }
                    return request
                }),
            Row(
                "too many attempts of a session", client, .delete, .error(.tooManyAttempts),
                json: { scene in
                    let request = try await scene.asking()
                    scene.limiter.refuse { isAttempt($0) }
                    return request
                }),
            Row(
                "too many revocations", client, .revokeToken, .error(.tooManyAttempts),
                json: { scene in
                    let request = try await scene.asking(
                        ["providerId": "apple.com", "tokenType": "3", "token": "c0de"], at: "apple.com")
                    scene.limiter.refuse { isWrite($0) }
                    return request
                }),
            Row(
                "a lookup, while nothing else may happen", client, .lookup, .members(["kind", "users"]),
                json: { scene in
                    let request = try await scene.asking()
                    scene.limiter.refuse { !isLookup($0) }
                    return request
                }),
            Row(
                "too many lookups of a session", client, .lookup, .unavailable,
                json: { scene in
                    let request = try await scene.asking()
                    scene.limiter.refuse { isLookup($0) && !isLookupOfAccount($0) }
                    return request
                }),
            Row(
                "too many lookups of an account", client, .lookup, .unavailable,
                json: { scene in
                    let request = try await scene.asking()
                    scene.limiter.refuse { isLookupOfAccount($0) }
                    return request
                }),
        ]
    }

    static let tooManyRefreshes: [Row] = [
        Row(
            "too many refreshes", .javaScript, .token, .unavailable, contentType: form,
            text: { scene in
                let session = try await scene.session()
                scene.limiter.refuse { isRefresh($0) }
                return Scene.form(session)
            }),
        Row(
            "too many refreshes", .ios, .token, .unavailable,
            json: { scene in
                let session = try await scene.session()
                scene.limiter.refuse { isRefresh($0) }
                return Scene.refresh(session)
            }),
    ]

    // MARK: The store

    static let failuresOfStore: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "a sign-in while the store is down", client, .signInWithIdp, .unavailable,
                json: { scene in
                    scene.store.goDown(true)
                    return scene.signIn(try scene.credential())
                }),
            Row(
                "a link while the store is down", client, .signInWithIdp, .unavailable,
                json: { scene in
                    let idToken = try await scene.session().idToken
                    scene.store.goDown(true)
                    return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: idToken)
                }),
            Row(
                "a pending credential while the store is down", client, .signInWithIdp, .unavailable,
                json: { scene in
                    let pending = try await scene.pendingCredential()
                    scene.store.goDown(true)
                    return scene.signIn(nil, pendingToken: pending.text)
                }),
            Row(
                "a lookup while the store is down", client, .lookup, .unavailable,
                json: { try await asking($0) }),
            Row(
                "an update while the store is down", client, .update, .unavailable,
                json: { try await asking($0, ["displayName": "Ada"]) }),
            Row(
                "a deletion while the store is down", client, .delete, .unavailable, json: { try await asking($0) }),
            Row(
                "a revocation while the store is down", client, .revokeToken, .unavailable,
                json: { try await asking($0, ["providerId": "apple.com", "tokenType": "3", "token": "c0de"]) }),
            Row(
                "a refresh while the store is down", client, .token, .unavailable,
                json: { scene in
                    let session = try await scene.session()
                    scene.store.goDown(true)
                    return Scene.refresh(session)
                }),
        ]
    }

    /// A request with the ID token of a session, after which the store goes down.
    private static func asking(_ scene: Scene, _ members: JSONObject = [:]) async throws -> JSONObject {
        let request = try await scene.asking(members)
        scene.store.goDown(true)
        return request
    }

    // MARK: Providers

    static let failuresOfProviders: [Row] = [
        Row(
            "a provider that is down", .javaScript, .signInWithIdp, .unavailable,
            json: { scene in
                scene.provider { $0.isDown = true }
                return scene.signIn(try scene.credential())
            }),
        Row(
            "a provider that answers with an error", .ios, .signInWithIdp, .unavailable,
            json: { scene in
                scene.provider { $0.responses["/jwks"] = .success(.empty(status: 500)) }
                return scene.signIn(try scene.credential())
            }),
        Row(
            "a provider without its keys", .android, .signInWithIdp, .unavailable,
            json: { scene in
                scene.provider { $0.deadPaths = ["/jwks"] }
                return scene.signIn(try scene.credential())
            }),
        Row(
            "a link at a provider that is down", .cpp, .signInWithIdp, .unavailable,
            json: { scene in
                let idToken = try await scene.session().idToken
                scene.provider("oidc.bold") { $0.isDown = true }
                return scene.signIn(try scene.credential("bea", at: "oidc.bold"), idToken: idToken)
            }),
        Row(
            "a lookup while the providers are down", .javaScript, .lookup, .members(["kind", "users"]),
            json: { scene in
                let request = try await scene.asking()
                scene.provider { $0.isDown = true }
                return request
            }),
        Row(
            "Apple is down", .ios, .revokeToken, .unavailable,
            json: { scene in
                let request = try await scene.asking(
                    ["providerId": "apple.com", "tokenType": "3", "token": "c0de"], at: "apple.com")
                scene.provider("apple.com") { $0.isDown = true }
                return request
            }),
        Row(
            "Apple does not know the broker", .ios, .revokeToken, .unavailable,
            json: { scene in
                let request = try await scene.asking(
                    ["providerId": "apple.com", "tokenType": "3", "token": "c0de"], at: "apple.com")
                scene.provider("apple.com") {
                    $0.responses["/token"] = .json(["error": "invalid_client"], status: 400)
                }
                return request
            }),
        Row(
            "Apple exchanges a code and does not revoke", .ios, .revokeToken, .unavailable,
            json: { scene in
                try scene.acceptCodes()
                scene.provider("apple.com") { $0.responses["/revoke"] = .success(.empty(status: 503)) }
                return try await scene.asking(
                    ["providerId": "apple.com", "tokenType": "3", "token": "c0de"], at: "apple.com")
            }),
        Row(
            "a session of a server whose clock is ahead", .javaScript, .lookup, .unavailable,
            json: { scene in
                scene.installation.clock.advance(by: 120)
                let request = try await scene.asking()
                scene.installation.clock.advance(by: -120)
                return request
            }),
    ]
}
