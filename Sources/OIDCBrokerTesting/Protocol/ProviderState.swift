// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty

/// Everything a provider knows, as a value: judges a request without I/O, clock or lock of its own.
///
/// One extension for each endpoint: ``discovery()``, ``authorize(_:)``, ``token(_:)``, ``userInfo(_:)``.
struct ProviderState: Sendable {
    /// What is to be done with a request.
    enum Plan: Sendable {
        /// Send this.
        case response(SentResponse)
        /// Sign a token, outside of the lock, and send the answer with it.
        case mint(TokenMint)
    }

    /// Once so many requests are recorded, the older half is forgotten.
    private static let recordedLimit = 20_000

    var configuration: OpenIDProvider.Configuration
    var misbehaviour: Misbehaviour
    var keys: ProviderKeys
    /// Set when the port is known, before the first request is accepted.
    var issuer = ""
    var recorded: [OpenIDProvider.RecordedRequest] = []
    /// Sign-ins that wait on the consent page, by their ticket.
    var tickets = ExpiringValues<PendingConsent>()
    /// Authorization codes.
    var codes = ExpiringValues<Grant>()
    /// Access tokens.
    var accessTokens = ExpiringValues<Grant>()
    /// Refresh tokens.
    var refreshTokens = ExpiringValues<Grant>()

    init(configuration: OpenIDProvider.Configuration, keys: ProviderKeys) {
        self.configuration = configuration
        self.keys = keys
        misbehaviour = configuration.misbehaviour
    }

    var now: Int64 { configuration.clock.now() }

    /// A fresh code, token or ticket: 256 bits.
    static func randomValue() -> String { Base64URL.encode(SecureRandom.bytes(32)) }

    /// Judges a request.
    mutating func plan(for request: ReceivedRequest) -> Plan {
        record(request)
        switch (request.method, request.path) {
        case ("GET", "/.well-known/openid-configuration"): return .response(discovery())
        case ("GET", "/jwks"): return .response(keySet())
        case ("GET", "/authorize"): return .response(authorize(request.query))
        case ("POST", "/authorize"): return .response(submit(request.form))
        case ("POST", "/token"): return token(request)
        case ("POST", Self.redirectedTokenPath): return exchange(request)
        case ("GET", "/userinfo"), ("POST", "/userinfo"): return .response(userInfo(request))
        default: return .response(refusal(ofPath: request.path))
        }
    }

    private mutating func record(_ request: ReceivedRequest) {
        guard configuration.recordsRequests else { return }
        if recorded.count == Self.recordedLimit { recorded.removeFirst(Self.recordedLimit / 2) }
        recorded.append(OpenIDProvider.RecordedRequest(request))
    }

    private func refusal(ofPath path: String) -> SentResponse {
        let allowed: String
        switch path {
        case "/.well-known/openid-configuration", "/jwks": allowed = "GET"
        case "/authorize", "/userinfo": allowed = "GET, POST"
        case "/token", Self.redirectedTokenPath: allowed = "POST"
        default: return .plain(status: 404, "Not Found")
        }
        return .plain(status: 405, "Method Not Allowed", headers: [("allow", allowed)])
    }
}
