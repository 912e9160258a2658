// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import OIDCBrokerState
import OpenIDConnect

/// The measured operations.
enum MicroCase: String, CaseIterable {
    /// Reads the query of a callback.
    case parseCallback = "parse-callback"
    /// Opens a sealed login state.
    case openState = "open-state"
    /// Seals a login state.
    case sealState = "seal-state"
    /// Verifies an ID token's RS256 signature with a parsed key set.
    case verifyRS256 = "verify-rs256"
    /// Verifies an ID token's ES256 signature with a parsed key set.
    case verifyES256 = "verify-es256"
    /// Parses a key set of four keys.
    case parseKeySet = "parse-key-set"
    /// Builds the redirect to a provider.
    case buildRedirect = "build-redirect"
    /// Searches for a duplicate among a hundred names that differ only at their ends and are equivalent in Unicode up
    /// to there, which an attacker would send to a server that compares texts by `==`.
    case duplicateName = "duplicate-name"
    /// Handles an app's start up to the redirect to the provider.
    case wholeStart = "whole-start"
    /// Handles a callback up to the redirect to the app, without network. The ID token has an RS256 signature.
    case wholeCallback = "whole-callback"
    /// The same where the provider has an end session endpoint: the ID token is sealed into a cookie.
    case wholeCallbackLogout = "whole-callback-logout"
    /// Handles the redemption of a code by a public app. The broker's ID token has an ES256 signature.
    case wholeRedemption = "whole-redemption"
    /// Handles a new TLS connection with HTTP/1.1 and a start, from its acceptance to its end.
    case newConnectionHTTP1 = "new-connection-http1"
    /// The same with HTTP/2.
    case newConnectionHTTP2 = "new-connection-http2"

    /// Repeats the operation.
    ///
    /// - Returns: A value that depends on every repetition, so that the compiler cannot remove any.
    func run(_ iterations: Int) throws -> Int {
        switch self {
        case .parseCallback: try Self.parseCallback(iterations)
        case .openState: try Self.openState(iterations)
        case .sealState: try Self.sealState(iterations)
        case .verifyRS256: try Self.verify(MicroVectors.rs256Token, .rs256, iterations)
        case .verifyES256: try Self.verify(MicroVectors.es256Token, .es256, iterations)
        case .parseKeySet: try Self.parseKeySet(iterations)
        case .buildRedirect: try Self.buildRedirect(iterations)
        case .duplicateName: try Self.duplicateName(iterations)
        case .wholeStart: try WholeSignIn().run(iterations, upTo: .start)
        case .wholeCallback: try WholeSignIn().run(iterations, upTo: .callback)
        case .wholeCallbackLogout: try WholeSignIn(endsSessions: true).run(iterations, upTo: .callback)
        case .wholeRedemption: try WholeSignIn().run(iterations, upTo: .redemption)
        case .newConnectionHTTP1: try NewConnection(.http1).run(iterations)
        case .newConnectionHTTP2: try NewConnection(.http2).run(iterations)
        }
    }

    private static func parseCallback(_ iterations: Int) throws -> Int {
        let query = Array(MicroVectors.callbackQuery.utf8)
        var sum = 0
        for _ in 0..<iterations {
            let parameters = try AuthorizationResponse(FormURLEncoding.parse(query))
            sum += parameters.state.utf8.count
        }
        return sum
    }

    private static func sealer() -> StateSealer {
        StateSealer(
            keys: [LoginKeys(sealingKey: [UInt8](repeating: 7, count: 32))],
            issuer: "https://auth.example.com/__/auth")
    }

    private static func openState(_ iterations: Int) throws -> Int {
        let sealer = Self.sealer()
        guard let text = sealer.seal(Array(MicroVectors.state.utf8.prefix(200)), for: .login) else {
            throw MicroFailure("a state could not be sealed")
        }
        var sum = 0
        for _ in 0..<iterations {
            guard let opened = sealer.open(WireText(text), for: .login) else {
                throw MicroFailure("a state did not open")
            }
            sum += opened.plaintext.count
        }
        return sum
    }

    private static func sealState(_ iterations: Int) throws -> Int {
        let sealer = Self.sealer()
        let plaintext = Array(MicroVectors.state.utf8.prefix(200))
        var sum = 0
        for _ in 0..<iterations {
            guard let text = sealer.seal(plaintext, for: .login) else {
                throw MicroFailure("a state could not be sealed")
            }
            sum += text.utf8.count
        }
        return sum
    }

    private static func verify(_ token: String, _ algorithm: JSONWebAlgorithm, _ iterations: Int) throws -> Int {
        let keys = try KeySet(json: Array(MicroVectors.keySet.utf8))
        var sum = 0
        for _ in 0..<iterations {
            let payload = try JSONWebSignature(compact: token).verified(by: keys, algorithms: [algorithm])
            sum += payload.claims.count
        }
        return sum
    }

    private static func parseKeySet(_ iterations: Int) throws -> Int {
        let text = Array(MicroVectors.keySet.utf8)
        var sum = 0
        for _ in 0..<iterations { sum += try KeySet(json: text).keys.count }
        guard sum == 4 * iterations else { throw MicroFailure("a key was left out") }
        return sum
    }

    private static func duplicateName(_ iterations: Int) throws -> Int {
        // The two marks on the letter are in one order or the other; their positions differ between names.
        let names = (0..<FormURLEncoding.maximumParameters).map { number in
            (0..<100).map { $0 % 7 == number % 7 ? "a\u{301}\u{323}" : "a\u{323}\u{301}" }.joined() + "\(100 + number)"
        }
        let parameters = Parameters(names.map { ($0, "") })
        var sum = 0
        for _ in 0..<iterations {
            guard parameters.firstDuplicateName == nil else { throw MicroFailure("two names were taken for the same") }
            sum += parameters.all.count
        }
        return sum
    }

    private static func buildRedirect(_ iterations: Int) throws -> Int {
        guard let endpoint = AbsoluteURL("https://accounts.example.com/o/oauth2/v2/auth") else {
            throw MicroFailure("the endpoint is not a URL")
        }
        let request = AuthorizationRequest(
            clientID: "1234567890-abcdefghijklmnopqrstuvwxyz.apps.example.com",
            redirectURI: "https://auth.example.com/__/auth/handler", scopes: ["openid", "email", "profile"],
            state: MicroVectors.state, nonce: "n-0S6_WzA2MjXw4q9kVtZl3yHb7cRdEfGhIjKlMnOpQ",
            codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        var sum = 0
        for _ in 0..<iterations { sum += request.url(endpoint: endpoint).utf8.count }
        return sum
    }
}

/// The reason why a figure would be meaningless.
struct MicroFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
