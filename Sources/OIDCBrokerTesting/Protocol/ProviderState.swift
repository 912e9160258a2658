// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

/// The state of a provider as a value, which validates requests without I/O, clock or lock.
///
/// There is one extension for each endpoint: ``discovery()``, ``keySet()``, ``pushAuthorization(_:)``,
/// ``authorize(_:)``, ``token(_:)``, ``userInfo(_:)``, ``revoke(_:)``.
struct ProviderState: ProviderEngineState {
    typealias Plan = ResponsePlan

    /// The maximum number of violations that are kept.
    private static let violationLimit = 1000

    var configuration: OpenIDProvider.Configuration
    var keys: ProviderKeys
    var issuer = ""
    /// The scheme, host and port of the listener that requires client certificates; `nil` if there is none.
    var mutualTLSOrigin: String?
    /// The scheme, host and port by which servers reach the endpoints; `nil` if they are those of the issuer.
    var innerOrigin: String?
    /// The path of the key set under ``Misbehavior/keySetAtRandomPath``.
    let randomKeySetPath = "/jwks-" + ProviderState.randomValue()
    var recorded: [OpenIDProvider.RecordedRequest] = []
    private(set) var violations: [String] = []
    /// The pushed authorization requests, by `request_uri`.
    var pushed = ExpiringValues<PushedRequest>()
    var tickets = ExpiringValues<PendingPage<RequestedAuthorization, OpenIDProvider.Person>>()
    /// The sessions of browsers, by cookie.
    var sessions = ExpiringValues<Session>()
    /// Authorization codes.
    var codes = ExpiringValues<Grant>()
    /// Access tokens.
    var accessTokens = ExpiringValues<Grant>()
    /// Refresh tokens.
    var refreshTokens = ExpiringValues<Grant>()
    /// The `jti`s of used client assertions.
    var assertionIDs = ExpiringValues<Bool>()
    /// The `jti`s of used DPoP proofs.
    var proofIDs = ExpiringValues<Bool>()
    /// The nonce that proofs must have; `nil` for none.
    var dpopNonce: String?

    init(configuration: OpenIDProvider.Configuration, keys: ProviderKeys) {
        self.configuration = configuration
        self.keys = keys
    }

    var settings: ProviderSettings<OpenIDProvider.Person, Misbehavior> {
        get { configuration.common }
        set { configuration.common = newValue }
    }

    mutating func plan(for request: ReceivedRequest) -> Plan {
        guard let endpoint = ProviderEndpoint.allCases.first(where: { path(of: $0) == request.path }),
            endpoint != .endSession || configuration.endsSessions
        else {
            // Browsers request it on their own.
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
        case .endSession: return .response(endSession(request))
        }
    }

    /// Records a violation of the protocol by a client.
    mutating func violate(_ request: ReceivedRequest, _ reason: String) {
        guard violations.count < Self.violationLimit else { return }
        violations.append("\(request.method) \(request.path): \(reason)")
    }

    /// Checks the rules that apply to every request.
    private mutating func validate(_ request: ReceivedRequest, at endpoint: ProviderEndpoint) {
        if endpoint == .redirectedToken || endpoint == .redirectedMetadata {
            violate(request, "follows a redirect")
        }
        guard let query = request.query else { return violate(request, "the query cannot be decoded") }
        if endpoint.takesNoQuery, !query.all.isEmpty { violate(request, "has a query") }
        for name in Self.secretNames where query.contains(name) { violate(request, "\(name) is in the query") }
        if endpoint.isDocument, request.header("authorization") != nil {
            violate(request, "has credentials where none are needed")
        }
    }

    /// The parameters that must never be in a URL (RFC 6750 section 5.3, RFC 6749 section 2.3.1).
    private static let secretNames = [
        "access_token", "refresh_token", "client_secret", "client_assertion", "code_verifier",
    ]
}
