// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting

@testable import IdentityToolkit

// Bodies that cannot be read, and members of another type.
extension ToolkitWireTable {
    private static let operations: [ToolkitOperation] = [
        .signInWithIdp, .lookup, .update, .delete, .createAuthUri, .revokeToken, .token,
    ]

    private static let unreadable: [(name: String, body: String)] = [
        ("an array", "[]"), ("null", "null"), ("a text", #""idToken""#), ("white space", " "),
        ("half an object", #"{"idToken":"t""#), ("two objects", "{}{}"), ("a comment", "{}//"),
        ("a form", "idToken=t&grant_type=refresh_token"), ("a byte order mark", "\u{FEFF}{}"),
        ("half a pair of surrogates", #"{"x":"\ud83d"}"#), ("a number of too many digits", "{\"x\":1" + digits + "}"),
    ]

    private static let digits = String(repeating: "0", count: 300)

    static let unreadableBodies: [Row] = operations.flatMap { operation -> [Row] in
        unreadable.map { name, body -> Row in
            Row(
                "\(name) as a body", operation == .token ? .ios : .javaScript, operation,
                .error(.invalidArgument, "cannot be read"), text: { _ in body })
        }
    }

    static let undecodableBodies: [Row] = operations.map { operation -> Row in
        Row(
            "bytes that are not UTF-8", operation == .token ? .ios : .javaScript, operation,
            .error(.invalidArgument, "cannot be read"),
            bytes: { _ in [0x7B, 0x22, 0xC3, 0x28, 0x22, 0x3A, 0x31, 0x7D] })
    }

    private static let emptyBody: [(operation: ToolkitOperation, code: ToolkitError.Code)] = [
        (.signInWithIdp, .missingRequestURI), (.lookup, .missingIDToken), (.update, .missingIDToken),
        (.delete, .missingIDToken), (.createAuthUri, .missingIdentifier), (.revokeToken, .missingIDToken),
        (.token, .missingGrantType),
    ]

    static let emptyBodies: [Row] = emptyBody.map { operation, code -> Row in
        Row("no body", .android, operation, .error(code), bytes: { _ in [] })
    }

    private static let wrong: [(operation: ToolkitOperation, members: String, name: String)] = [
        (.lookup, #""tenantId":{}"#, "tenantId"), (.update, #""displayName":true"#, "displayName"),
        (.update, #""photoUrl":["https://a"]"#, "photoUrl"),
        (.update, #""deleteProvider":"oidc.acme""#, "deleteProvider"),
        (.update, #""deleteProvider":[null]"#, "deleteProvider"),
        (.update, #""deleteAttribute":"EMAIL""#, "deleteAttribute"),
        (.update, #""deleteAttribute":[7]"#, "deleteAttribute"),
        (.update, #""deleteAttribute":["email"]"#, "deleteAttribute"),
        (.update, #""email":{}"#, "email"), (.delete, #""localId":[]"#, "localId"),
        (.createAuthUri, #""identifier":true"#, "identifier"), (.createAuthUri, #""providerId":[]"#, "providerId"),
        (.revokeToken, #""providerId":{}"#, "providerId"),
        (.revokeToken, #""providerId":"apple.com","tokenType":true"#, "tokenType"),
        (.revokeToken, #""providerId":"apple.com","tokenType":"3","token":[]"#, "token"),
        (.revokeToken, #""providerId":"apple.com","tokenType":3.5,"token":"t""#, "tokenType"),
        (.signInWithIdp, #""requestUri":["http://localhost"]"#, "requestUri"),
        (.signInWithIdp, #""requestUri":"http://localhost","postBody":{}"#, "postBody"),
        (.signInWithIdp, #""requestUri":"http://localhost","sessionId":true"#, "sessionId"),
        (.signInWithIdp, #""requestUri":"http://localhost","autoCreate":1"#, "autoCreate"),
        (.signInWithIdp, #""requestUri":"http://localhost","returnIdpCredential":"yes""#, "returnIdpCredential"),
        (.signInWithIdp, #""requestUri":"http://localhost","pendingToken":{}"#, "pendingToken"),
        (.token, #""grantType":{}"#, "grantType"),
        (.token, #""grantType":"refresh_token","refreshToken":[]"#, "refreshToken"),
    ]

    static let wrongTypes: [Row] = wrong.enumerated().map { number, request -> Row in
        let (operation, members, name) = request
        return Row(
            "\(name) of another type, \(number)", Client.allCases[number % Client.allCases.count], operation,
            .error(.invalidArgument, name), text: { try await $0.asking(written: members) })
    }
}
