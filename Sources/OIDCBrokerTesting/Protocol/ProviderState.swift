// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty

/// Everything a provider knows, as a value: validates a request without I/O, clock or lock of its own.
///
/// One extension for each endpoint: ``discovery()``, ``keySet()``, ``pushAuthorization(_:)``, ``authorize(_:)``,
/// ``token(_:)``, ``userInfo(_:)``, ``revoke(_:)``.
struct ProviderState: Sendable {
    /// What is to be done with a request.
    enum Plan: Sendable {
        /// Send this.
        case response(SentResponse)
        /// Sign tokens, outside of the lock, and send the response with them.
        case mint(any ProviderMint)
    }

    /// Once so many requests are recorded, the older half is forgotten.
    private static let recordedLimit = 20_000
    /// So many violations are kept.
    private static let violationLimit = 1000

    var configuration: OpenIDProvider.Configuration
    var misbehavior: Misbehavior
    var keys: ProviderKeys
    /// Set when the port is known, before the first request is accepted.
    var issuer = ""
    /// Scheme, host and port of the listener that asks for client certificates, where there is one.
    var mutualTLSOrigin: String?
    /// Where the keys are under ``Misbehavior/keySetAtRandomPath``.
    let randomKeySetPath = "/jwks-" + ProviderState.randomValue()
    var recorded: [OpenIDProvider.RecordedRequest] = []
    private(set) var violations: [String] = []
    /// Authorization requests that were pushed, by their `request_uri`.
    var pushed = ExpiringValues<PushedRequest>()
    /// Sign-ins that wait on the consent page, by their ticket.
    var tickets = ExpiringValues<PendingConsent>()
    /// Authorization codes.
    var codes = ExpiringValues<Grant>()
    /// Access tokens.
    var accessTokens = ExpiringValues<Grant>()
    /// Refresh tokens.
    var refreshTokens = ExpiringValues<Grant>()
    /// The `jti` of client assertions that were used.
    var assertionIDs = ExpiringValues<Bool>()

    init(configuration: OpenIDProvider.Configuration, keys: ProviderKeys) {
        self.configuration = configuration
        self.keys = keys
        misbehavior = configuration.misbehavior
    }

    var now: Int64 { configuration.clock.now() }

    /// A fresh code, token or ticket: 256 bits.
    static func randomValue() -> String { Base64URL.encode(SecureRandom.bytes(32)) }

    /// Validates a request.
    mutating func plan(for request: ReceivedRequest) -> Plan {
        record(request)
        guard let endpoint = ProviderEndpoint.allCases.first(where: { path(of: $0) == request.path }) else {
            // Browsers ask for it by themselves.
            if request.path != "/favicon.ico" { violate(request, "the metadata names no such path") }
            return .response(.plain(status: 404, "Not Found"))
        }
        guard endpoint.methods.contains(request.method) else {
            violate(request, "not with this method")
            return .response(
                .plain(
                    status: 405, "Method Not Allowed",
                    headers: [("allow", endpoint.methods.joined(separator: ", "))]))
        }
        validate(request, at: endpoint)
        switch endpoint {
        case .metadata: return .response(discovery())
        case .redirectedMetadata: return .response(document(metadata()))
        case .keySet: return .response(keySet())
        case .pushedAuthorization: return .response(pushAuthorization(request))
        case .authorization: return request.method == "GET" ? authorize(request) : submit(request)
        case .token: return token(request)
        case .redirectedToken: return exchange(request)
        case .userInfo: return userInfo(request)
        case .revocation: return .response(revoke(request))
        }
    }

    /// Remembers what a client did wrong.
    mutating func violate(_ request: ReceivedRequest, _ reason: String) {
        guard violations.count < Self.violationLimit else { return }
        violations.append("\(request.method) \(request.path): \(reason)")
    }

    /// What holds for every request, whatever it asks for.
    private mutating func validate(_ request: ReceivedRequest, at endpoint: ProviderEndpoint) {
        if endpoint == .redirectedToken || endpoint == .redirectedMetadata {
            violate(request, "follows a redirect")
        }
        guard let query = request.query else { return violate(request, "the query cannot be decoded") }
        if endpoint.takesNoQuery, !query.all.isEmpty { violate(request, "has a query") }
        for name in Self.secretNames where query.contains(name) { violate(request, "\(name) stands in the query") }
        if endpoint.isDocument, request.header("authorization") != nil {
            violate(request, "has credentials where none are needed")
        }
    }

    /// RFC 6750 section 5.3, RFC 6749 section 2.3.1: what must never stand in a URL.
    private static let secretNames = [
        "access_token", "refresh_token", "client_secret", "client_assertion", "code_verifier",
    ]

    private mutating func record(_ request: ReceivedRequest) {
        guard configuration.recordsRequests else { return }
        if recorded.count == Self.recordedLimit { recorded.removeFirst(Self.recordedLimit / 2) }
        recorded.append(OpenIDProvider.RecordedRequest(request))
    }
}
