// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting
import TestingSupport

@testable import IdentityToolkit

// Users who sign in with an ID token that the app got from a provider.
extension ToolkitWireTable {
    /// The members of the response for a user of whom the provider tells nothing but the subject.
    static let person = [
        "kind", "providerId", "localId", "idToken", "refreshToken", "expiresIn", "federatedId", "rawUserInfo",
        "oauthIdToken",
    ]
    static let newPerson = person + ["isNewUser"]

    static let signIns: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "a new user", client, .signInWithIdp,
                .members(
                    newPerson,
                    [
                        "kind": "identitytoolkit#VerifyAssertionResponse", "providerId": "oidc.acme",
                        "federatedId": "ada", "expiresIn": "3600", "isNewUser": true,
                    ]),
                json: { $0.signIn(try $0.credential()) }),
            Row(
                "a user who was here before", client, .signInWithIdp, .members(person),
                json: { scene in
                    _ = try await scene.session()
                    return scene.signIn(try scene.credential())
                }),
            Row(
                "a re-authentication", client, .signInWithIdp, .members(person, ["federatedId": "ada"]),
                json: { scene in
                    _ = try await scene.session()
                    return scene.signIn(try scene.credential(), autoCreate: false)
                }),
            Row(
                "a name, a proved address and a photo", client, .signInWithIdp,
                .members(
                    newPerson + ["email", "emailVerified", "displayName", "fullName", "photoUrl"],
                    [
                        "email": "Ada@example.com", "emailVerified": true, "displayName": "Ada & <\"Eve\"> = 100% +",
                        "fullName": "Ada & <\"Eve\"> = 100% +", "photoUrl": "https://people.example/a?b=c&d=%20e",
                    ]),
                json: { scene in
                    let changes: JSONObject = [
                        "name": "Ada & <\"Eve\"> = 100% +", "picture": "https://people.example/a?b=c&d=%20e",
                    ]
                    return scene.signIn(try scene.credential(email: "Ada@example.com", changes: changes))
                }),
            Row(
                "an address that is not proved", client, .signInWithIdp,
                .members(
                    newPerson + ["email", "emailVerified"], ["email": "ada@example.com", "emailVerified": false]),
                json: { $0.signIn(try $0.credential(email: "ada@example.com", isVerified: false)) }),
            Row(
                "an address that another account has, where addresses do not matter", client, .signInWithIdp,
                .members(newPerson + ["email", "emailVerified"]),
                options: Scene.Options(policy: AccountPolicy(email: .separate)),
                json: { scene in
                    _ = try await scene.session("eve", email: "ada@example.com")
                    return scene.signIn(
                        try scene.credential(at: "oidc.bold", email: "ada@example.com"), autoCreate: true)
                }),
            Row(
                "an access token whose hash is in the ID token", client, .signInWithIdp,
                .members(newPerson + ["oauthAccessToken"], ["oauthAccessToken": .string(accessToken)]),
                json: { scene in
                    let idToken = try scene.token(changes: Scene.hash(of: accessToken))
                    return scene.signIn(scene.postBody(idToken, accessToken: accessToken))
                }),
            Row(
                "an access token with which UserInfo gives a name", client, .signInWithIdp,
                .members(newPerson + ["oauthAccessToken", "displayName", "fullName"], ["displayName": "Ada"]),
                options: Scene.Options(hasUserInfo: true),
                json: { scene in
                    scene.provider { $0.changeUserInfo = { $0 = ["sub": "ada", "name": "Ada"] } }
                    let idToken = try scene.token(changes: Scene.hash(of: accessToken))
                    return scene.signIn(scene.postBody(idToken, accessToken: accessToken))
                }),
            Row(
                "an access token with which UserInfo describes another user", client, .signInWithIdp,
                .error(.invalidIdpResponse, "UserInfo"), options: Scene.Options(hasUserInfo: true),
                json: { scene in
                    scene.provider { $0.changeUserInfo = { $0 = ["sub": "eve"] } }
                    let idToken = try scene.token(changes: Scene.hash(of: accessToken))
                    return scene.signIn(scene.postBody(idToken, accessToken: accessToken))
                }),
            Row(
                "an access token of an unknown user", client, .signInWithIdp, .members(newPerson),
                json: { $0.signIn($0.postBody(try $0.token(), accessToken: accessToken)) }),
        ]
    }

    /// The nonces that the SDKs make are letters, digits and marks. An app may have others.
    private static let noncesOfApps: [(Client, String)] = [
        (.javaScript, "a&b=c%d+e f\"{<>}"), (.javaScript, "%41%2B"), (.android, "a&nonce=b%zz+c"),
        (.ios, "0123-._AZaz"), (.ios, "a+b=c=="), (.cpp, "0123-._AZaz"), (.cpp, "a+b%z=c"),
    ]

    static let nonces: [Row] = noncesOfApps.map { client, nonce -> Row in
        Row(
            "the nonce \(nonce)", client, .signInWithIdp, .members(newPerson),
            json: { $0.signIn($0.postBody(try $0.token(nonce: nonce), nonce: nonce)) })
    }

    // MARK: Apple's names

    /// Names that look like what is around them, in scripts of both directions.
    static let people = [
        (first: "Ada", last: "Lovelace"),
        (first: "Ada & Eve", last: "id_token=e.v.e&nonce=evil&providerId=oidc.acme&user={}"),
        (first: "50% = 1/2 + \"x\" \\ 'y'", last: "%41%2B%zz%"),
        (first: "{\"name\":{\"firstName\":\"Eve\"}}", last: "a+b c=d?e#f;g,h<i>j`k|l^m~n"),
        (first: "\u{5E2}\u{5D3}\u{5D4}", last: "\u{5DC}\u{5D0}\u{5D1}\u{5DC}\u{5D9}\u{5D9}\u{5E1} & Sons"),
        (first: "\u{639}\u{627}\u{626}\u{634}\u{629}", last: "\u{645}\u{64F}\u{62D}\u{645}\u{651}\u{62F}"),
        (first: "\u{5C0F}\u{6797}", last: "\u{1F469}\u{200D}\u{1F4BB}"),
        (first: "Zoe\u{308}", last: "Z\u{EB}o\u{308}"),
    ]

    static let names: [Row] = Client.allCases.flatMap { client -> [Row] in
        people.map { first, last -> Row in
            Row(
                "the name \(first) \(last)", client, .signInWithIdp,
                .members(
                    newPerson + ["firstName", "lastName", "fullName", "displayName"],
                    [
                        "providerId": "apple.com", "firstName": .string(first), "lastName": .string(last),
                        "fullName": .string(first + " " + last), "displayName": .string(first + " " + last),
                    ]),
                json: { $0.signIn(try $0.credential(at: "apple.com", user: Scene.user(first, last))) })
        }
    }

    static let oddNames: [Row] = [
        Row(
            "a first name that turns the text around it", .ios, .signInWithIdp,
            .members(
                newPerson + ["firstName", "lastName", "fullName", "displayName"],
                ["firstName": "Ada", "fullName": "Ada Lovelace", "displayName": "Ada Lovelace"]),
            json: { $0.signIn(try $0.credential(at: "apple.com", user: Scene.user("A\u{202E}da", "Lovelace"))) }),
        Row(
            "a name with marks of direction", .android, .signInWithIdp,
            .members(
                newPerson + ["firstName", "lastName", "fullName", "displayName"],
                [
                    "firstName": "\u{5E2}\u{5D3}\u{5D4}", "fullName": "\u{5E2}\u{5D3}\u{5D4} Lovelace",
                    "displayName": "\u{5E2}\u{5D3}\u{5D4} Lovelace",
                ]),
            json: { scene in
                let user = Scene.user("\u{5E2}\u{5D3}\u{5D4}\u{200F}", "\u{200E}Lovelace")
                return scene.signIn(try scene.credential(at: "apple.com", user: user))
            }),
        Row(
            "a name of control characters", .javaScript, .signInWithIdp, .members(newPerson),
            json: { $0.signIn(try $0.credential(at: "apple.com", user: Scene.user("\u{7}\u{202E}", "\u{2067}"))) }),
        Row(
            "a control character in a name", .javaScript, .signInWithIdp,
            .members(newPerson + ["firstName", "fullName", "displayName"], ["firstName": "Ada", "fullName": "Ada"]),
            json: { $0.signIn(try $0.credential(at: "apple.com", user: Scene.user("A\u{7}da", "\u{2067}"))) }),
        Row(
            "a name that is no JSON", .ios, .signInWithIdp, .members(newPerson),
            json: { $0.signIn(try $0.credential(at: "apple.com", user: "{\"name\":{\"firstName\":\"Ada\"")) }),
        Row(
            "a first name of 255 characters", .ios, .signInWithIdp,
            .members(newPerson + ["firstName", "fullName", "displayName"]),
            json: { scene in
                let user = Scene.user(String(repeating: "\u{1F600}", count: 255), nil)
                return scene.signIn(try scene.credential(at: "apple.com", user: user))
            }),
        Row(
            "a first name of 256 characters", .ios, .signInWithIdp,
            .members(
                newPerson + ["firstName", "lastName", "fullName", "displayName"],
                [
                    "firstName": .string(String(repeating: "\u{1F600}", count: 255)), "lastName": "Lovelace",
                    // 256 scalars without the space at the end.
                    "fullName": .string(String(repeating: "\u{1F600}", count: 255)),
                    "displayName": .string(String(repeating: "\u{1F600}", count: 255)),
                ]),
            json: { scene in
                let user = Scene.user(String(repeating: "\u{1F600}", count: 256), "Lovelace")
                return scene.signIn(try scene.credential(at: "apple.com", user: user))
            }),
        Row(
            "two names that are too long together", .cpp, .signInWithIdp,
            .members(
                newPerson + ["firstName", "lastName", "fullName", "displayName"],
                [
                    "lastName": .string(String(repeating: "y", count: 200)),
                    "fullName": .string(
                        String(repeating: "x", count: 200) + " " + String(repeating: "y", count: 55)),
                    "displayName": .string(
                        String(repeating: "x", count: 200) + " " + String(repeating: "y", count: 55)),
                ]),
            json: { scene in
                let user = Scene.user(String(repeating: "x", count: 200), String(repeating: "y", count: 200))
                return scene.signIn(try scene.credential(at: "apple.com", user: user))
            }),
        Row(
            "a name beside the token of another provider than Apple", .javaScript, .signInWithIdp, .members(newPerson),
            json: { $0.signIn(try $0.credential(user: Scene.user("Ada", "Lovelace"))) }),
    ]
}
