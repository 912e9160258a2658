// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

@testable import IdentityToolkit

// Every limit, reached and crossed by one.
extension ToolkitWireTable {
    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    // MARK: Bodies

    /// A lookup with an unknown member, which makes it so long.
    private static func lookup(_ scene: Scene, length: Int) async throws -> String {
        let frame = try await scene.asking(written: #""x":"""#)
        return String(frame.dropLast(2)) + text(length - frame.utf8.count) + "\"}"
    }

    /// A refresh with an unknown parameter, which makes it so long.
    private static func refresh(_ scene: Scene, length: Int) async throws -> String {
        let frame = Scene.form(try await scene.session()) + "&x="
        return frame + text(length - frame.utf8.count)
    }

    /// A lookup so deep. The object counts as one.
    private static func lookup(_ scene: Scene, depth: Int) async throws -> String {
        let (open, close) = (String(repeating: "[", count: depth - 1), String(repeating: "]", count: depth - 1))
        return try await scene.asking(written: "\"x\":" + open + close)
    }

    /// A sign-in with so many pairs in `postBody`.
    private static func signIn(_ scene: Scene, pairs: Int) throws -> JSONObject {
        // An ID token, a provider and a nonce are there already.
        scene.signIn(try scene.credential() + String(repeating: "&x=", count: pairs - 3))
    }

    /// The IDs of so many providers, each of them twice.
    private static func providers(_ count: Int) -> JSONValue {
        .array((0..<2 * count).map { .string("oidc.p\($0 % count)") })
    }

    static let limitsOfBodies: [Row] = [
        Row(
            "a body of 64 KB", .javaScript, .lookup, .members(["kind", "users"]),
            text: { try await lookup($0, length: 65_536) }),
        Row(
            "a body of 64 KB and one byte", .javaScript, .lookup, .error(.invalidArgument, "longer than allowed"),
            text: { try await lookup($0, length: 65_537) }),
        Row(
            "a form of 64 KB", .javaScript, .token, .members(refreshed), contentType: form,
            text: { try await refresh($0, length: 65_536) }),
        Row(
            "a form of 64 KB and one byte", .javaScript, .token, .error(.invalidArgument, "64 KB"), contentType: form,
            text: { try await refresh($0, length: 65_537) }),
        Row(
            "a depth of 32", .ios, .lookup, .members(["kind", "users"]), text: { try await lookup($0, depth: 32) }),
        Row(
            "a depth of 33", .ios, .lookup, .error(.invalidArgument, "deeper"),
            text: { try await lookup($0, depth: 33) }),
        Row(
            "a depth of 10,000", .cpp, .lookup, .error(.invalidArgument, "deeper"),
            text: { try await lookup($0, depth: 10_000) }),
        Row(
            "a hundred pairs in postBody", .javaScript, .signInWithIdp, .members(newPerson),
            json: { try signIn($0, pairs: 100) }),
        Row(
            "a hundred and one pairs in postBody", .javaScript, .signInWithIdp, .error(.invalidArgument, "100"),
            json: { try signIn($0, pairs: 101) }),
        Row(
            "a hundred providers to unlink", .ios, .update, .members(updated),
            json: { try await $0.asking(["deleteProvider": .array(Array(repeating: "phone", count: 100))]) }),
        Row(
            "as many providers to unlink as an account may have", .javaScript, .update, .members(updated),
            json: { try await $0.asking(["deleteProvider": providers(20)]) }),
        Row(
            "one provider to unlink more than an account may have", .javaScript, .update,
            .error(.invalidArgument, "at most 20"),
            json: { try await $0.asking(["deleteProvider": providers(21)]) }),
        Row(
            "a hundred and one providers to unlink", .ios, .update, .error(.invalidArgument, "100"),
            json: { try await $0.asking(["deleteProvider": .array(Array(repeating: "phone", count: 101))]) }),
    ]

    // MARK: Sign-ins

    private static let longestID = String(repeating: "p", count: 128)
    /// The longest URL without its end.
    private static let longURL = "http://localhost/" + text(2030)

    private static func signIn(_ scene: Scene, requestURI: String) throws -> JSONObject {
        var request = scene.signIn(try scene.credential())
        request["requestUri"] = .string(requestURI)
        return request
    }

    private static func signIn(_ scene: Scene, nonce: String) throws -> JSONObject {
        scene.signIn(scene.postBody(try scene.token(nonce: nonce), nonce: nonce))
    }

    static let limitsOfSignIns: [Row] = [
        Row(
            "a provider whose ID has 128 characters", .javaScript, .signInWithIdp,
            .members(newPerson, ["providerId": .string(longestID)]), options: Scene.Options(boldID: longestID),
            json: { $0.signIn(try $0.credential(at: longestID)) }),
        Row(
            "a provider whose ID has 129 characters", .javaScript, .signInWithIdp, .error(.invalidProviderID),
            options: Scene.Options(boldID: longestID),
            json: { $0.signIn($0.postBody(try $0.token(at: longestID), at: longestID + "p")) }),
        Row(
            "a revocation at a provider whose ID has 129 characters", .ios, .revokeToken, .error(.invalidProviderID),
            json: { try await $0.asking(["providerId": .string(longestID + "p"), "tokenType": "3", "token": "c"]) }),
        Row(
            "a provider to unlink whose ID has 129 characters", .ios, .update, .members(updated),
            json: { try await $0.asking(["deleteProvider": [.string(longestID + "p")]]) }),
        Row(
            "a requestUri of 2,048 bytes", .javaScript, .signInWithIdp, .members(newPerson),
            json: { try signIn($0, requestURI: longURL + "x") }),
        Row(
            "a requestUri of 2,049 bytes", .javaScript, .signInWithIdp, .error(.invalidRequestURI),
            json: { try signIn($0, requestURI: longURL + "xx") }),
        Row(
            "a requestUri of 8,192 bytes with its fragment", .javaScript, .signInWithIdp, .members(newPerson),
            json: { try signIn($0, requestURI: longURL + "x#" + text(6143)) }),
        Row(
            "a requestUri of 8,193 bytes with its fragment", .javaScript, .signInWithIdp, .error(.invalidRequestURI),
            json: { try signIn($0, requestURI: longURL + "x#" + text(6144)) }),
        Row(
            "a nonce of 255 characters", .android, .signInWithIdp, .members(newPerson),
            json: { try signIn($0, nonce: text(255)) }),
        Row(
            "a nonce of 256 characters", .android, .signInWithIdp, .error(.missingOrInvalidNonce, "255"),
            json: { try signIn($0, nonce: text(256)) }),
        Row(
            "an ID token of 50 KB", .cpp, .signInWithIdp, .members(newPerson),
            json: { $0.signIn(try $0.credential(changes: ["groups": .string(text(40_000))])) }),
    ]

    /// Links an identity of another account, whose ID token has a claim so long.
    private static func link(_ scene: Scene, claim: Int) async throws -> JSONObject {
        _ = try await scene.session("bea", at: "oidc.bold")
        let credential = try scene.credential("bea", at: "oidc.bold", changes: ["groups": .string(text(claim))])
        return scene.signIn(credential, idToken: try await scene.session().idToken)
    }

    /// Signs in with an address of another account, and with a claim so long.
    private static func collision(_ scene: Scene, claim: Int) async throws -> JSONObject {
        _ = try await scene.session("eve", email: "ada@example.com")
        return scene.signIn(
            try scene.credential(
                at: "oidc.bold", email: "ada@example.com", changes: ["groups": .string(text(claim))]))
    }

    static let limitsOfPendingCredentials: [Row] = [
        Row(
            "a credential that fits into 24 KB", .ios, .signInWithIdp,
            .members(inUse, ["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED"]),
            json: { try await link($0, claim: 7000) }),
        Row(
            "a credential that fits into 24 KB, again", .javaScript, .signInWithIdp, .members(person),
            json: { scene in
                let pending = try await scene.pendingCredential(changes: ["groups": .string(text(7000))])
                return scene.signIn(nil, pendingToken: pending.text)
            }),
        Row(
            "a credential that is too long to be handed back", .ios, .signInWithIdp,
            .error(.federatedUserIDAlreadyLinked), json: { try await link($0, claim: 15_000) }),
        Row(
            "an address of another account with 7,000 bytes of claims", .javaScript, .signInWithIdp,
            .members(confirmation), json: { try await collision($0, claim: 7000) }),
        Row(
            "an address of another account with 9,000 bytes of claims, which are not kept", .javaScript, .signInWithIdp,
            .members(confirmation), json: { try await collision($0, claim: 9000) }),
        Row(
            "an address of another account with an ID token that is too long to be kept", .javaScript, .signInWithIdp,
            .error(.emailExists), json: { try await collision($0, claim: 15_000) }),
        Row(
            "a pending credential of 64 KB", .javaScript, .signInWithIdp, .error(.invalidPendingToken),
            json: { $0.signIn(nil, pendingToken: text(65_000)) }),
    ]

    // MARK: Tokens

    static let limitsOfTokens: [Row] = [
        Row(
            "an ID token of 16 KB that is none", .javaScript, .lookup, .error(.invalidIDToken),
            json: { _ in ["idToken": .string(text(AccountTokens.maximumLength))] }),
        Row(
            "an ID token of 16 KB and one byte", .javaScript, .lookup, .error(.invalidIDToken, "is not an ID token"),
            json: { _ in ["idToken": .string(text(AccountTokens.maximumLength + 1))] }),
        Row(
            "a refresh token without its last character", .ios, .token, .error(.invalidRefreshToken),
            json: { scene in
                let text = try await scene.session().refreshToken
                return ["grantType": "refresh_token", "refreshToken": .string(String(text.dropLast()))]
            }),
        Row(
            "a refresh token with one character more", .ios, .token, .error(.invalidRefreshToken),
            json: { scene in
                let text = try await scene.session().refreshToken
                return ["grantType": "refresh_token", "refreshToken": .string(text + "A")]
            }),
        Row(
            "a code of 16 KB", .ios, .revokeToken, .members([]),
            json: { scene in
                try scene.acceptCodes()
                let code: JSONValue = .string(text(16_384))
                return try await scene.asking(
                    ["providerId": "apple.com", "tokenType": "3", "token": code], at: "apple.com")
            }),
        Row(
            "a code of 16 KB and one byte", .ios, .revokeToken, .error(.invalidIdpResponse, "characters"),
            json: { scene in
                let code: JSONValue = .string(text(16_385))
                return try await scene.asking(["providerId": "apple.com", "tokenType": "3", "token": code])
            }),
        Row(
            "a redirect URI of 2,048 bytes", .javaScript, .revokeToken, .members([]),
            json: { scene in
                try scene.acceptCodes()
                let redirectURI: JSONValue = .string(longURL + "x")
                return try await scene.asking(
                    ["providerId": "apple.com", "tokenType": "CODE", "token": "c0de", "redirectUri": redirectURI],
                    at: "apple.com")
            }),
        Row(
            "a redirect URI of 2,049 bytes", .javaScript, .revokeToken, .error(.invalidArgument, "redirectUri"),
            json: { scene in
                let redirectURI: JSONValue = .string(longURL + "xx")
                return try await scene.asking(
                    ["providerId": "apple.com", "tokenType": "CODE", "token": "c0de", "redirectUri": redirectURI])
            }),
    ]

    // MARK: Profiles

    private static let longestName = String(repeating: "\u{1F600}", count: AccountLimits.displayNameScalars)
    private static let longestPhoto = "https://people.example/" + text(AccountLimits.photoURLBytes - 23)

    static let limitsOfProfiles: [Row] = [
        Row(
            "a name of 256 scalars", .javaScript, .update,
            .members(updated + ["displayName"], ["displayName": .string(longestName)]),
            json: { try await $0.asking(["displayName": .string(longestName)]) }),
        Row(
            "a name of 257 scalars", .javaScript, .update, .error(.invalidArgument, "displayName"),
            json: { try await $0.asking(["displayName": .string(longestName + "x")]) }),
        Row(
            "a photo of 2,048 bytes", .ios, .update,
            .members(updated + ["photoUrl"], ["photoUrl": .string(longestPhoto)]),
            json: { try await $0.asking(["photoUrl": .string(longestPhoto)]) }),
        Row(
            "a photo of 2,049 bytes", .ios, .update, .error(.invalidArgument, "photoUrl"),
            json: { try await $0.asking(["photoUrl": .string(longestPhoto + "x")]) }),
        Row(
            "a name and a photo of a provider that are as long as they may be", .cpp, .signInWithIdp,
            .members(
                newPerson + ["displayName", "fullName", "photoUrl"],
                ["displayName": .string(longestName), "photoUrl": .string(longestPhoto)]),
            json: { scene in
                let changes: JSONObject = ["name": .string(longestName), "picture": .string(longestPhoto)]
                return scene.signIn(try scene.credential(changes: changes))
            }),
        Row(
            "a name and a photo of a provider that are too long", .cpp, .signInWithIdp, .members(newPerson),
            json: { scene in
                let changes: JSONObject = [
                    "name": .string(longestName + "x"), "picture": .string(longestPhoto + "x"),
                ]
                return scene.signIn(try scene.credential(changes: changes))
            }),
    ]
}
