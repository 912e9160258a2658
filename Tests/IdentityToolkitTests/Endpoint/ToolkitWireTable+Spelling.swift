// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting

@testable import IdentityToolkit

// API keys, and the spellings of members that the SDKs do not agree on.
extension ToolkitWireTable {
    // MARK: API keys

    private static let badKeys: [(query: String, code: ToolkitError.Code)] = [
        ("", .permissionDenied), ("key=", .permissionDenied), ("apiKey=web-4f1c0000", .permissionDenied),
        ("key=nobodys-key", .apiKeyNotValid), ("key=WEB-4F1C0000", .apiKeyNotValid),
        ("key=web-4f1c0000%20", .apiKeyNotValid), ("key=" + String(repeating: "k", count: 129), .apiKeyNotValid),
        ("key=web-4f1c0000&key=web-4f1c0000", .invalidArgument), ("key=%", .invalidArgument),
    ]

    static let keys: [Row] = badKeys.flatMap { query, code -> [Row] in
        [
            Row(
                "the query \(query)", .javaScript, .lookup, .error(code), query: query,
                json: { try await $0.asking() }),
            Row(
                "the query \(query)", .ios, .signInWithIdp, .error(code), query: query,
                json: { $0.signIn(try $0.credential()) }),
            Row(
                "the query \(query)", .javaScript, .project, .error(code), method: .get, query: query,
                bytes: { _ in [] }),
            Row(
                "the query \(query)", .cpp, .token, .error(code), query: query,
                json: { Scene.refresh(try await $0.session()) }),
        ]
    }

    static let otherQueries: [Row] = [
        Row(
            "a key among others", .android, .lookup, .members(["kind", "users"]),
            query: "alt=proto&key=android-4f1c0000&prettyPrint=false", json: { try await $0.asking() }),
        Row(
            "a key that is percent-encoded", .javaScript, .lookup, .members(["kind", "users"]),
            query: "key=web%2D4f1c0000", json: { try await $0.asking() }),
        Row(
            "the session of another app of the project", .ios, .lookup, .members(["kind", "users"]),
            query: "key=web-4f1c0000", json: { try await $0.asking() }),
    ]

    // MARK: Spellings

    static let spellings: [Row] = [
        Row(
            "a sign-in in snake case, with texts in the place of truth values", .javaScript, .signInWithIdp,
            .members(newPerson),
            text: { scene in
                let postBody = Scene.quoted(try scene.credential())
                return #"{"request_uri":"http:\/\/localhost","post_body":\#(postBody),"return_secure_token":"true","#
                    + #""return_idp_credential":"true","auto_create":"true","session_id":7,"tenant_id":null}"#
            }),
        Row(
            "a re-authentication without an account in snake case", .cpp, .signInWithIdp, .error(.emailNotFound),
            text: { scene in
                let postBody = Scene.quoted(try scene.credential())
                return #"{"request_uri":"http://localhost","post_body":\#(postBody),"auto_create":"false"}"#
            }),
        Row(
            "a link in snake case", .ios, .signInWithIdp,
            .members(inUse, ["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED"]),
            text: { scene in
                _ = try await scene.session("bea", at: "oidc.bold")
                let (idToken, postBody) = (
                    try await scene.session().idToken, Scene.quoted(try scene.credential("bea", at: "oidc.bold"))
                )
                return #"{"request_uri":"http://localhost","post_body":\#(postBody),"id_token":"\#(idToken)","#
                    + #""return_idp_credential":true}"#
            }),
        Row(
            "a pending credential in snake case", .javaScript, .signInWithIdp, .members(person),
            json: { scene in
                let pending = try await scene.pendingCredential().text
                return ["request_uri": "http://localhost", "pending_token": .string(pending)]
            }),
        Row(
            "unknown members", .android, .signInWithIdp, .members(newPerson),
            json: { scene in
                var request = scene.signIn(try scene.credential())
                request["clientType"] = "CLIENT_TYPE_ANDROID"
                request["recaptchaVersion"] = 3
                request["x"] = [[:], [.null, ["y": 0]], "\u{5E9}\u{200F}", true]
                return request
            }),
        Row(
            "null in the place of what is not there", .javaScript, .signInWithIdp, .members(newPerson),
            json: { scene in
                var request = scene.signIn(try scene.credential())
                for name in ["idToken", "pendingToken", "sessionId", "tenantId", "autoCreate"] { request[name] = .null }
                return request
            }),
        Row(
            "a lookup in snake case", .android, .lookup, .members(["kind", "users"]),
            json: { ["id_token": .string(try await $0.session().idToken)] }),
        Row(
            "a name that is a number", .cpp, .update, .members(updated + ["displayName"], ["displayName": "-7.50"]),
            text: { try await $0.asking(written: #""display_name":-7.50"#) }),
        Row(
            "a provider that is a number", .cpp, .update, .members(updated),
            text: { try await $0.asking(written: #""delete_provider":[7]"#) }),
        Row(
            "a deletion in snake case, of a number", .android, .delete, .members(["kind"]),
            text: { scene in
                let idToken = try await scene.session().idToken
                return #"{"id_token":"\#(idToken)","local_id":7}"#
            }),
        Row(
            "an address that is a number", .cpp, .createAuthUri, .members(["kind", "sessionId"]),
            text: { _ in #"{"identifier":15550100,"continue_uri":"http://localhost"}"# }),
        Row(
            "a session that is a number", .cpp, .lookup, .error(.invalidIDToken), text: { _ in #"{"idToken":7}"# }),
        Row(
            "a postBody that is a number", .cpp, .signInWithIdp, .error(.invalidCredentialOrProviderID),
            text: { _ in #"{"requestUri":"http://localhost","postBody":7}"# }),
        Row(
            "JSON with white space and escapes", .ios, .lookup, .members(["kind", "users"]),
            text: { scene in
                let idToken = try await scene.session().idToken
                return " {\n\t\"\\u0069dToken\" : \"\(idToken)\" ,\r\n \"x\" : [ ] } "
            }),
    ]

    // MARK: What is there twice

    private static let twice: [(operation: ToolkitOperation, members: String)] = [
        (.lookup, #""idToken":"t""#), (.lookup, #""id_token":"t""#), (.lookup, #""\u0069dToken":"t""#),
        (.lookup, #""x":1,"x":1"#), (.lookup, #""x":{"y":1,"y":1}"#),
        (.update, #""displayName":"Ada","displayName":"Ada""#), (.update, #""displayName":"Ada","display_name":"Ada""#),
        (.update, #""photoUrl":null,"photo_url":null"#), (.update, #""deleteProvider":[],"delete_provider":[]"#),
        (.delete, #""idToken":"t""#), (.delete, #""localId":"a","local_id":"a""#),
        (.createAuthUri, #""identifier":"a@b","identifier":"a@b""#),
        (.revokeToken, #""providerId":"apple.com","tokenType":"3","token_type":"3","token":"t""#),
        (.revokeToken, #""providerId":"apple.com","provider_id":"apple.com","tokenType":"3","token":"t""#),
        (.signInWithIdp, #""requestUri":"http://localhost","request_uri":"http://localhost","postBody":"""#),
        (.signInWithIdp, #""requestUri":"http://localhost","postBody":"a=b","post_body":"a=b""#),
        (.signInWithIdp, #""requestUri":"http://localhost","requestUri":"http://localhost""#),
        (.signInWithIdp, #""requestUri":"http://localhost","autoCreate":true,"auto_create":true"#),
        (.token, #""grantType":"refresh_token","grant_type":"refresh_token""#),
        (.token, #""grantType":"refresh_token","refreshToken":"t","refresh_token":"t""#),
    ]

    static let duplicates: [Row] = twice.enumerated().map { number, request -> Row in
        let (operation, members) = request
        return Row(
            "twice, \(number)", Client.allCases[number % Client.allCases.count], operation, .error(.invalidArgument),
            text: { try await $0.asking(written: members) })
    }

    static let duplicatePairs: [Row] = [
        Row(
            "an ID token twice in postBody", .javaScript, .signInWithIdp, .error(.invalidArgument, "id_token"),
            json: { $0.signIn(try $0.credential() + "&id_token=t") }),
        Row(
            "a nonce twice in postBody", .ios, .signInWithIdp, .error(.invalidArgument, "nonce"),
            json: { $0.signIn(try $0.credential() + "&nonce=" + Scene.nonce) }),
        Row(
            "a provider twice in postBody", .cpp, .signInWithIdp, .error(.invalidArgument, "providerId"),
            json: { $0.signIn(try $0.credential() + "&providerId=oidc.acme") }),
        Row(
            "a grant type in two spellings of the form", .javaScript, .token, .error(.invalidArgument),
            contentType: form,
            text: { Scene.form(try await $0.session()) + "&grantType=refresh_token" }),
        Row(
            "a refresh token twice in the form", .javaScript, .token, .error(.invalidArgument), contentType: form,
            text: { Scene.form(try await $0.session()) + "&refresh_token=t" }),
    ]
}
