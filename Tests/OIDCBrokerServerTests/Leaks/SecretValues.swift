// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import TestingSupport

/// The values of a run that must not be written anywhere.
struct SecretValues: Sendable {
    /// The values, each with what it is.
    private(set) var values: [String: String] = [:]

    /// The names of parameters, form fields and members of JSON whose values are secrets, or identify a user.
    private static let names: Set<String> = [
        "code", "state", "nonce", "code_challenge", "code_verifier", "id_token", "access_token", "refresh_token",
        "raw_nonce", "client_secret", "client_assertion", "token", "login", "logout", "id_token_hint", "user",
        "authorization_code", "idToken", "refreshToken", "oauthIdToken", "oauthAccessToken", "pendingToken", "email",
        "upstream_sub", "password", "fragment", "logout_token", "at_hash", "c_hash",
    ]

    /// Adds a value, unless it is so short that it could stand in any text.
    mutating func add(_ value: String?, _ what: String) {
        guard let value, value.utf8.count >= 8 else { return }
        values[value] = what
    }

    /// Adds the values of parameters that are secret by their names.
    mutating func add(parameters: [(name: String, value: String)], _ what: String) {
        for (name, value) in parameters where Self.names.contains(name) { add(value, "\(name) in \(what)") }
    }

    /// Adds what stands in the query or fragment of a URL.
    mutating func add(url: String?, _ what: String) {
        guard let url, let mark = url.firstIndex(where: { $0 == "?" || $0 == "#" }),
            let parameters = try? FormURLEncoding.parse(url[url.index(after: mark)...])
        else { return }
        add(parameters: parameters.all.map { (name: $0.name.makeString(), value: $0.value.makeString()) }, what)
    }

    /// Adds members of JSON, also of objects within.
    mutating func add(json: JSONObject, _ what: String) {
        for member in json.members {
            if let text = member.value.text?.makeString() {
                add(parameters: [(name: member.name.makeString(), value: text)], what)
            }
            if let object = member.value.objectValue { add(json: object, what) }
        }
    }

    /// Adds the base64 lines of a PEM text.
    mutating func add(pem: String, _ what: String) {
        for line in pem.split(separator: "\n") where !line.hasPrefix("-----") { add(String(line), what) }
    }

    /// Adds what a provider received.
    mutating func add(requests: [OpenIDProvider.RecordedRequest], _ what: String) {
        for request in requests {
            add(parameters: request.parameters.map { (name: $0.name, value: $0.value) }, what)
            add(request.header("authorization"), "authorization in \(what)")
        }
    }

    /// Adds the cookies of a browser.
    mutating func add(cookiesOf jar: CookieJar) {
        for cookie in jar.cookies { add(cookie.value, "a cookie") }
    }

    /// Returns which of the values stand in which of the texts.
    func leaks(in texts: [(name: String, text: String)]) -> [String] {
        texts.flatMap { name, text in
            values.filter { text.contains($0.key) }.map { "\($0.value) is in the \(name)" }
        }.sorted()
    }
}
