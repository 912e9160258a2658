// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting

@testable import IdentityToolkit

// Changes of an account.
extension ToolkitWireTable {
    /// The members of the response about a user without a name.
    static let updated = ["kind", "localId", "emailVerified", "providerUserInfo"]

    private static let photo = "https://people.example/a/?b=c&d=%20'(e)"

    /// An account that has got a name and a photo of its provider.
    private static func named(_ scene: Scene, _ members: JSONObject) async throws -> JSONObject {
        let session = try await scene.session(changes: ["name": "Ada", "picture": "https://people.example/ada.png"])
        var request = members
        request["idToken"] = .string(session.idToken)
        return request
    }

    /// An account with two providers. One of them is removed.
    private static func linked(_ scene: Scene, without provider: String) async throws -> JSONObject {
        let session = try await scene.session()
        _ = try await scene.session("bea", at: "oidc.bold", linkingTo: session.idToken)
        return ["idToken": .string(session.idToken), "deleteProvider": [.string(provider)]]
    }

    static let updates: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "a name and a photo", client, .update,
                .members(
                    updated + ["displayName", "photoUrl"],
                    [
                        "kind": "identitytoolkit#SetAccountInfoResponse", "displayName": "Ada",
                        "photoUrl": .string(photo), "providerUserInfo/0/providerId": "oidc.acme",
                    ]),
                json: { scene in
                    try await scene.asking([
                        "displayName": "Ada", "photoUrl": .string(photo), "returnSecureToken": true,
                    ])
                }),
            Row(
                "nothing", client, .update, .members(updated + ["displayName", "photoUrl"], ["displayName": "Ada"]),
                json: { try await named($0, ["returnSecureToken": true]) }),
            Row(
                "empty texts", client, .update, .members(updated),
                json: { try await named($0, ["displayName": "", "photoUrl": ""]) }),
        ]
    }

    /// A name is the account's own from then on.
    static let scripts: [Row] = people.flatMap { first, last -> [Row] in
        Client.allCases.map { client -> Row in
            Row(
                "the name \(first) \(last)", client, .update,
                .members(updated + ["displayName"], ["displayName": .string(first + " " + last)]),
                json: { try await $0.asking(["displayName": .string(first + " " + last)]) })
        }
    }

    static let cleared: [Row] = [
        Row(
            "null clears", .javaScript, .update, .members(updated, ["providerUserInfo/0/displayName": "Ada"]),
            json: { try await named($0, ["displayName": .null, "photoUrl": .null, "returnSecureToken": true]) }),
        Row(
            "null clears only what it stands for", .javaScript, .update,
            .members(updated + ["displayName"], ["displayName": "Ada"]),
            json: { try await named($0, ["photoUrl": .null]) }),
        Row(
            "attributes to delete", .cpp, .update, .members(updated),
            json: { try await named($0, ["deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"]]) }),
        Row(
            "an attribute to delete", .cpp, .update, .members(updated + ["displayName"]),
            json: { try await named($0, ["deleteAttribute": ["PHOTO_URL"]]) }),
        Row(
            "attributes to delete, by their indices", .android, .update, .members(updated),
            json: { try await named($0, ["delete_attribute": [2, "4", 0]]) }),
    ]

    // MARK: Unlinking

    static let unlinks: [Row] = Client.allCases.flatMap { client -> [Row] in
        [
            Row(
                "unlinking", client, .update,
                .members(updated, ["providerUserInfo/0/providerId": "oidc.bold", "providerUserInfo/1": .null]),
                json: { try await linked($0, without: "oidc.acme") }),
            Row(
                "unlinking the other one", client, .update,
                .members(updated, ["providerUserInfo/0/providerId": "oidc.acme", "providerUserInfo/1": .null]),
                json: { try await linked($0, without: "oidc.bold") }),
            Row(
                "unlinking what is not linked", client, .update,
                .members(updated, ["providerUserInfo/1/providerId": "oidc.bold"]),
                json: { try await linked($0, without: "phone") }),
            Row(
                "unlinking the last one", client, .update,
                .error(.operationNotAllowed, "delete the account instead"),
                json: { try await $0.asking(["deleteProvider": ["oidc.acme"], "returnSecureToken": true]) }),
            Row(
                "unlinking both", client, .update, .error(.operationNotAllowed, "delete the account instead"),
                json: { scene in
                    var request = try await linked(scene, without: "oidc.acme")
                    request["deleteProvider"] = ["oidc.acme", "oidc.bold"]
                    return request
                }),
            Row(
                "unlinking long after the sign-in", client, .update, .error(.credentialTooOld),
                json: { scene in
                    let request = try await linked(scene, without: "oidc.acme")
                    scene.installation.clock.advance(by: 300)
                    return request
                }),
        ]
    }

    // MARK: What cannot be changed

    private static let refusedMembers: [(String, String, Client)] = [
        ("email", "ada@example.com", .javaScript), ("password", "pass-word-1", .ios),
        ("oobCode", "c0de", .android),
        ("phoneNumber", "+15550100", .cpp), ("oob_code", "c0de", .javaScript), ("phone_number", "+15550100", .ios),
    ]

    static let refusedUpdates: [Row] = refusedMembers.flatMap { name, value, client -> [Row] in
        [
            Row(
                "\(name) with a session", client, .update, .error(.operationNotAllowed, "cannot be changed"),
                json: { try await $0.asking([name: .string(value)]) }),
            Row(
                "\(name) without a session", client, .update, .error(.operationNotAllowed, "cannot be changed"),
                json: { _ in [name: .string(value)] }),
        ]
    }

    /// Members that an operator may send, each with the code that a client gets for it.
    private static let operatorMembers: [(String, JSONValue, ToolkitError.Code)] = [
        ("customAttributes", "{}", .insufficientPermission), ("validSince", 1, .insufficientPermission),
        ("disableUser", false, .operationNotAllowed), ("emailVerified", true, .operationNotAllowed),
        ("linkProviderUserInfo", [:], .operationNotAllowed), ("mfa", [:], .operationNotAllowed),
        ("createdAt", "1", .operationNotAllowed), ("lastLoginAt", "1", .operationNotAllowed),
        ("disable_user", true, .operationNotAllowed),
    ]

    static let refusedOfOperators: [Row] = operatorMembers.map { name, value, code -> Row in
        Row(
            "\(name), which is for operators", .javaScript, .update, .error(code, "change"),
            json: { try await $0.asking([name: value]) })
    }

    static let refusedValues: [Row] = [
        Row(
            "an attribute that cannot be deleted", .cpp, .update, .error(.operationNotAllowed, "deleteAttribute"),
            json: { try await $0.asking(["deleteAttribute": ["DISPLAY_NAME", "PASSWORD"]]) }),
        Row(
            "an attribute that cannot be deleted, by its index", .android, .update, .error(.operationNotAllowed),
            json: { try await $0.asking(["deleteAttribute": ["1"]]) }),
        Row(
            "a name with a control character", .javaScript, .update, .error(.invalidArgument, "displayName"),
            json: { try await $0.asking(["displayName": "Ada\u{7}Lovelace"]) }),
        Row(
            "a name that turns the text around it", .ios, .update, .error(.invalidArgument, "displayName"),
            json: { try await $0.asking(["displayName": "Ada\u{202E}Lovelace"]) }),
        Row(
            "a photo without a scheme", .javaScript, .update, .error(.invalidArgument, "photoUrl"),
            json: { try await $0.asking(["photoUrl": "people.example/ada.png"]) }),
        Row(
            "a photo whose scheme is none", .android, .update, .error(.invalidArgument, "photoUrl"),
            json: { try await $0.asking(["photoUrl": "1a:b"]) }),
        Row(
            "a photo of other characters", .ios, .update, .error(.invalidArgument, "photoUrl"),
            json: { try await $0.asking(["photoUrl": "https://people.example/\u{E9}"]) }),
    ]
}
