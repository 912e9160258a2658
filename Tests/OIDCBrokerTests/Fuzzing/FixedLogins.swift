// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerState

/// A broker with one login under way at each of four providers, one for each way a response comes back. Ids, states,
/// cookies and codes follow from constants, so that a driver that failed once fails again.
struct FixedLogins {
    struct Login {
        let provider: TestProvider
        let path: String
        /// The sealed `state`.
        let state: String
        /// The login's cookie, as it stands in a Cookie field.
        let cookie: String
        let code: String
        let grant: TestProvider.Grant
    }

    let installation: Installation
    let store = ReferenceStore()
    /// At acme (query), globex (form_post), initech (fragment) and hooli (`code id_token` by form_post).
    let logins: [Login]

    init() throws {
        let names = ["acme", "globex", "initech", "hooli"]
        installation = try Installation(providers: names, store: store) {
            for number in 1..<4 { $0.providers[number].callbackPath = "/__/auth/\(names[number])" }
            $0.providers[1].configuration.responseMode = .formPost
            $0.providers[2].configuration.responseMode = .fragment
            $0.providers[3].configuration.responseType = .codeIDToken
            $0.providers[3].configuration.responseMode = .formPost
        }
        let transport = installation.transport
        let clock = installation.clock
        let snapshot = try BrokerSnapshot(
            installation.configuration, previous: nil,
            makeKeySet: {
                RemoteKeySet(url: $0, certificateAuthorities: $1, transport: transport, elapsed: clock.elapsed)
            }
        ) { configuration, _ in
            RelyingParty(configuration: configuration, transport: transport, clock: clock, elapsed: clock.elapsed)
        }
        let keys = try #require(snapshot.sealer.current)
        var logins: [Login] = []
        for (number, entry) in snapshot.providers.enumerated() {
            let loginID = [UInt8](repeating: UInt8(number + 1), count: 16)
            let binding = [UInt8](repeating: UInt8(number + 101), count: 32)
            let state = LoginState(
                loginID: loginID, issuedAt: clock.now(), provider: entry.name, fingerprint: entry.fingerprint,
                app: "shop", redirectURIHash: Hash.sha256("https://shop.example/callback".utf8), loopbackPort: 0,
                isChosen: false, appState: "state-of-the-app", appNonce: "nonce-of-the-app",
                codeChallenge: [UInt8](repeating: 9, count: 32), maximumAge: nil,
                scopes: GrantedScopes(["email", "profile"]))
            let nonce = [UInt8](repeating: UInt8(number + 201), count: 12)
            logins.append(
                Login(
                    provider: installation.providers[number],
                    path: entry.callbackPath,
                    state: try #require(snapshot.sealer.seal(state.encoded, for: .login, nonce: nonce)),
                    cookie: snapshot.cookie.name(loginID: loginID) + "=" + Base64URL.encode(binding),
                    code: "upstream-code-\(number)",
                    grant: TestProvider.Grant(
                        nonce: keys.rawNonce(loginID: loginID, binding: binding),
                        challenge: keys.codeVerifier(loginID: loginID, binding: binding).challenge,
                        redirectURI: entry.relyingParty.configuration.redirectURI)))
        }
        self.logins = logins
    }

    /// A cookie with the name of a login of this broker that is not one of these.
    static let otherCookie = "__Host-oidc-CgoKCgoKCgo=" + String(repeating: "A", count: 43)

    /// Requests as ``CallbackInput`` reads them: the four valid responses, an error, and requests of a browser without
    /// a response or in a wrong mode.
    /// - Parameter hasCookie: whether they carry the logins' cookies.
    func requests(hasCookie: Bool) -> [String] {
        let form = "application/x-www-form-urlencoded"
        let responses = logins.map { login in
            let idToken = login.path == "/__/auth/hooli" ? [("id_token", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln")] : []
            return Query.encode(
                [("code", login.code), ("state", login.state), ("iss", login.provider.issuer)] + idToken)
        }
        let cookies = logins.map { hasCookie ? "a=b; \($0.cookie); \(Self.otherCookie)" : "a=b; \(Self.otherCookie)" }
        let denial = Query.encode([
            ("error", "access_denied"), ("error_description", "no"), ("state", logins[0].state),
            ("iss", logins[0].provider.issuer),
        ])
        return [
            "GET\n\(logins[0].path)?\(responses[0])\n\(cookies[0])\n\n",
            "POST\n\(logins[1].path)\n\(cookies[1])\n\(form)\n\(responses[1])",
            "POST\n\(logins[2].path)\n\(cookies[2])\n\(form)\nfragment=\(Query.encode(responses[2]))",
            "POST\n\(logins[3].path)\n\(cookies[3])\n\(form)\n\(responses[3])&user=%7B%7D&oidc_broker_repost=1",
            "GET\n\(logins[0].path)?\(denial)\n\(cookies[0])\n\n",
            "GET\n\(logins[2].path)\n\n\n",
            "POST\n\(logins[2].path)\n\(cookies[2])\n\(form)\n\(responses[2])",
            "GET\n\(logins[0].path)?apiKey=1\n\n\n",
        ]
    }

    /// Pieces that mean something in a callback.
    static let dictionary = [
        "&state=", "&code=x", "&id_token=a.b.c", "&error=access_denied", "&iss=https%3A%2F%2Flogin.acme.example",
        "fragment=", "oidc_broker_repost=1", "apiKey=1", "%00", "%0D%0A", "%C0%AF", "%C3%A4", "%2541", "+", "&", "=",
        ";",
        "?", "#", "/", "..;/", "__Host-oidc-", "; ", "\n", "application/json", "multipart/form-data", "GET", "\u{e4}",
    ]
}
