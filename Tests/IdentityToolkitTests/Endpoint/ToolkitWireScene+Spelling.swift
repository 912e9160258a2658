// SPDX-License-Identifier: Apache-2.0

import JOSE

@testable import IdentityToolkit

// Requests as each SDK writes them.
extension ToolkitWireScene {
    /// What Android keeps of a sign-in and sends with each: a digest that was made a text, with NUL and replacement
    /// characters.
    static let sessionOfAndroid = "\0\u{FFFD}\u{7}k\u{FFFD}\u{FFFD}3\""

    /// A request to sign in; to link, where there is an ID token of ours.
    func signIn(
        _ postBody: String?, idToken: String? = nil, autoCreate: Bool = true, pendingToken: String? = nil
    ) -> JSONObject {
        var request: JSONObject = ["returnSecureToken": true]
        if let postBody { request["postBody"] = .string(postBody) }
        if let idToken { request["idToken"] = .string(idToken) }
        if let pendingToken { request["pendingToken"] = .string(pendingToken) }
        request["requestUri"] = "http://localhost"
        switch client {
        case .javaScript:
            if !autoCreate { request["autoCreate"] = false }
        case .ios:
            request["returnIdpCredential"] = true
            request["autoCreate"] = .bool(autoCreate)
        case .android:
            request["returnIdpCredential"] = true
            request["autoCreate"] = .bool(autoCreate)
            request["sessionId"] = .string(Self.sessionOfAndroid)
        case .cpp:
            request["requestUri"] = .string("https:/" + client.path(.signInWithIdp) + "?key=" + client.apiKey)
        }
        return request
    }

    /// `postBody` with an ID token of a provider.
    func postBody(
        _ idToken: String, at provider: String = "oidc.acme", nonce: String? = ToolkitWireScene.nonce,
        accessToken: String? = nil, user: String? = nil
    ) -> String {
        let (idToken, provider) = (("id_token", Optional(idToken)), ("providerId", Optional(provider)))
        let (nonce, accessToken, user) = (("nonce", nonce), ("access_token", accessToken), ("user", user))
        return switch client {
        case .javaScript: "&" + Self.encoded([idToken, accessToken, provider, nonce, user])
        case .android: Self.encoded([idToken, accessToken, provider, nonce, user])
        case .ios: Self.joined([provider, idToken, nonce, accessToken, user])
        case .cpp: Self.joined([idToken, accessToken, nonce, provider, user])
        }
    }

    /// `postBody` with a new ID token.
    func credential(
        _ subject: String = "ada", at provider: String = "oidc.acme", email: String? = nil, isVerified: Bool = true,
        changes: JSONObject = [:], user: String? = nil
    ) throws -> String {
        let token = try token(subject, at: provider, email: email, isVerified: isVerified, changes: changes)
        return postBody(token, at: provider, user: user)
    }

    /// The name that Apple's systems give an app once.
    static func user(_ first: String?, _ last: String?) -> String {
        var name = JSONObject()
        if let first { name["firstName"] = .string(first) }
        if let last { name["lastName"] = .string(last) }
        let user: JSONObject = ["name": .object(name)]
        return String(decoding: user.serialized(), as: UTF8.self)
    }

    /// A request with the ID token of a new session.
    func asking(_ members: JSONObject = [:], at provider: String = "oidc.acme") async throws -> JSONObject {
        var request: JSONObject = ["idToken": .string(try await session(at: provider).idToken)]
        for member in members.members { request[member.name] = member.value }
        return request
    }

    /// The same with members as they are written.
    func asking(written members: String, at provider: String = "oidc.acme") async throws -> String {
        let idToken = try await session(at: provider).idToken
        return #"{"idToken":"\#(idToken)","# + members + "}"
    }

    /// A request to refresh a session.
    static func refresh(_ session: Session) -> JSONObject {
        ["grantType": "refresh_token", "refreshToken": .string(session.refreshToken)]
    }

    /// The form of it.
    static func form(_ session: Session) -> String {
        "grant_type=refresh_token&refresh_token=" + session.refreshToken
    }

    /// A text as JSON writes it, with its quotes.
    static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).serialized(), as: UTF8.self)
    }

    // MARK: Pairs

    private static func joined(_ pairs: [(String, String?)]) -> String {
        pairs.compactMap { pair in pair.1.map { pair.0 + "=" + $0 } }.joined(separator: "&")
    }

    private static func encoded(_ pairs: [(String, String?)]) -> String {
        joined(pairs.map { ($0.0, $0.1.map(encodeURIComponent)) })
    }

    /// What the function of this name does in JavaScript.
    static func encodeURIComponent(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "!"), UInt8(ascii: "~"), UInt8(ascii: "*"), UInt8(ascii: "'"), UInt8(ascii: "("),
                UInt8(ascii: ")"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                encoded += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
