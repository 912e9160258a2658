// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import TestingSupport

/// An app: what it asks for, and what it keeps until it redeems.
struct AppClient {
    var clientID = "shop"
    var redirectURI = "https://shop.example/callback"
    var secret: String?
    var state: String? = "state-of-the-app"
    var nonce: String? = "nonce-of-the-app"
    var provider: String?
    var scope = "openid email profile"
    /// The APIs that it asks for (RFC 8707).
    var resources: [String] = []
    /// Whether it sends a challenge.
    var isChallenging = true
    /// Whether it sends its verifier.
    var isVerifying = true
    let verifier = Base64URL.encode(SecureRandom.bytes(32))

    /// A public app in a browser.
    static var shop: AppClient { AppClient() }
    /// A confidential app that is allowed the provider's own tokens.
    static var back: AppClient {
        AppClient(
            clientID: "back-office", redirectURI: "https://back.example/callback?from=broker",
            secret: Installation.backSecret)
    }
    /// A program on the user's device that listens on a loopback port.
    static var desk: AppClient { AppClient(clientID: "desk", redirectURI: "http://127.0.0.1:51004/callback") }
    /// A program on the user's phone with a scheme of its own.
    static var phone: AppClient { AppClient(clientID: "phone", redirectURI: "com.example.phone:/callback") }

    /// The parameters of the authorization request.
    var parameters: [(String, String)] {
        var parameters = [
            ("client_id", clientID), ("redirect_uri", redirectURI), ("response_type", "code"), ("scope", scope),
        ]
        if isChallenging {
            parameters.append(("code_challenge", ProofKey.challenge(of: verifier)))
            parameters.append(("code_challenge_method", "S256"))
        }
        if let state { parameters.append(("state", state)) }
        if let nonce { parameters.append(("nonce", nonce)) }
        parameters += resources.map { ("resource", $0) }
        if let provider { parameters.append(("provider", provider)) }
        return parameters
    }

    /// The target of the authorization request.
    /// - Parameters:
    ///   - changes: Values that replace others; `nil` removes the parameter.
    ///   - additions: Parameters that are appended, even if they are duplicate.
    func target(_ changes: [String: String?] = [:], adding additions: [(String, String)] = []) -> String {
        var all: [(String, String)] = []
        for (name, value) in parameters {
            switch changes[name] {
            case .none: all.append((name, value))
            case .some(.none): break
            case .some(.some(let other)): all.append((name, other))
            }
        }
        let known = Set(parameters.map(\.0))
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
            if let value { all.append((name, value)) }
        }
        return "/__/auth/authorize?" + Query.encode(all + additions)
    }

    /// The token request of this app, whose secret, where it has one, stands in the form.
    func tokenForm(_ code: String) -> [(String, String)] {
        [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
            ("client_id", clientID),
        ] + (isVerifying ? [("code_verifier", verifier)] : [])
            + (secret.map { [("client_secret", $0)] } ?? [])
    }
}
