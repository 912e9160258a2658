// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import JOSE
import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// An app that signs users in through the broker, as an OpenID client of it.
struct AppClient: Sendable, CustomTestStringConvertible {
    /// The client authentication at the token endpoint.
    enum Authentication: Sendable {
        case none
        case basic(String)
        case post(String)
    }

    /// What an app remembers between a start and the response.
    struct Attempt: Sendable {
        var state = Base64URL.encode(SecureRandom.bytes(16))
        var nonce = Base64URL.encode(SecureRandom.bytes(16))
        var verifier = CodeVerifier(bytes: SecureRandom.bytes(32))
    }

    /// What the token endpoint answered.
    struct TokenResponseMembers: Sendable {
        let status: Int
        let json: JSONObject

        /// A member that is text.
        subscript(name: String) -> String? { json[name]?.text?.makeString() }
    }

    var name: String
    var redirectURI: String
    var authentication = Authentication.none
    var upstreamTokens = false

    static let publicApp = AppClient(name: "shop", redirectURI: "https://shop.example/callback")
    static let basicApp = AppClient(
        name: "desk", redirectURI: "https://desk.example/callback?from=broker",
        authentication: .basic("d+s/k=:%&x-of-16-letters"), upstreamTokens: true)
    static let postApp = AppClient(
        name: "mail", redirectURI: "https://mail.example/callback", authentication: .post("m+l/%26=secret-of-mail"))
    /// An app on the user's own machine: the broker asks before it goes on there.
    static let nativeApp = AppClient(name: "native", redirectURI: "http://127.0.0.1:49152/callback")

    /// Where ``publicApp`` gets the browser back after a logout.
    static let afterLogout = "https://shop.example/signed-out"

    static let all = [publicApp, basicApp, postApp, nativeApp]

    var testDescription: String { name }

    /// The app as the broker is told of it.
    var configuration: BrokerConfiguration.App {
        let secret: Secret? =
            switch authentication {
            case .none: nil
            case .basic(let secret), .post(let secret): Secret(secret)
            }
        var app = BrokerConfiguration.App(name: name, clientSecret: secret, redirectURIs: [redirectURI])
        app.upstreamTokens = upstreamTokens
        return app
    }

    /// Where the app sends the browser.
    func authorizationURL(issuer: String, _ attempt: Attempt, _ more: [(String, String)] = []) -> String {
        issuer + "/authorize?"
            + FormURLEncoding.encode(
                [
                    ("client_id", name), ("redirect_uri", redirectURI), ("response_type", "code"),
                    ("scope", "openid email profile"), ("state", attempt.state), ("nonce", attempt.nonce),
                    ("code_challenge", attempt.verifier.challenge), ("code_challenge_method", "S256"),
                ] + more)
    }

    /// Redeems a code.
    func redeem(
        _ code: String, issuer: String, verifier: CodeVerifier, with http: HTTPClient
    ) async throws -> TokenResponseMembers {
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
            ("code_verifier", verifier.value),
        ]
        var request = HTTPClientRequest(url: issuer + "/token")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        switch authentication {
        case .none:
            form.append(("client_id", name))
        case .post(let secret):
            form += [("client_id", name), ("client_secret", secret)]
        case .basic(let secret):
            let pair = FormURLEncoding.percentEncode(name) + ":" + FormURLEncoding.percentEncode(secret)
            request.headers.add(
                name: "authorization", value: "Basic " + Data(pair.utf8).base64EncodedString())
        }
        request.body = .bytes(ByteBuffer(string: FormURLEncoding.encode(form)))
        let response = try await http.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        return TokenResponseMembers(
            status: Int(response.status.code),
            json: try JSONParser.object(Array(body.readableBytesView), limits: JSONLimits(maximumBytes: 1 << 20)))
    }
}
