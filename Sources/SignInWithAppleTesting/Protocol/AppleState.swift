// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty

/// The state of a mock Apple as a value, which validates requests without I/O, clock or lock.
struct AppleState: ProviderEngineState {
    typealias Plan = ResponsePlan

    var configuration: MockApple.Configuration
    var key: SigningKey
    var developerKeys: [RegisteredKey]
    var issuer = ""
    var counts = MockApple.Counts()
    var clientSecretRefusals: [String] = []
    var recorded: [OpenIDProvider.RecordedRequest] = []
    /// The previous team of a transferred app, by client ID.
    var previousTeams: [String: String] = [:]
    /// The consents, and whether the user hides the email.
    var consents: [AppleConsent: Bool] = [:]
    var tickets = ExpiringValues<PendingPage<AppleAuthorizationRequest, MockApple.Person>>()
    /// Authorization codes.
    var codes = ExpiringValues<AppleGrant>()
    /// The access and refresh tokens.
    var accessTokens = ExpiringValues<AppleGrant>()
    var refreshTokens = ExpiringValues<AppleGrant>()
    /// The access tokens for migration, with their client.
    var migrationTokens = ExpiringValues<MockApple.Client>()
    /// The hashes of the client secrets that were accepted.
    var clientSecrets: Set<[UInt8]> = []

    init(configuration: MockApple.Configuration, key: SigningKey) throws {
        self.configuration = configuration
        self.key = key
        developerKeys = try configuration.developerKeys.map(RegisteredKey.init)
    }

    var settings: ProviderSettings<MockApple.Person, MockApple.Misbehavior> {
        get { configuration.common }
        set { configuration.common = newValue }
    }

    mutating func plan(for request: ReceivedRequest) -> Plan {
        switch (request.method, request.path) {
        case ("GET", "/.well-known/openid-configuration"): return .response(discovery())
        case ("GET", "/auth/keys"): return .response(keySet())
        case ("GET", "/auth/authorize"): return authorize(request)
        case ("POST", "/auth/authorize"): return submit(request)
        case ("POST", "/auth/token"): return token(request.form)
        case ("POST", "/auth/revoke"): return .response(revoke(request.form))
        case ("POST", "/auth/usermigrationinfo"): return .response(migrate(request))
        default: return .response(.plain(status: 404, "Not Found"))
        }
    }

    /// The metadata as Apple publishes it, which does not list all that Apple supports.
    private func discovery() -> SentResponse {
        .document([
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + "/auth/authorize"),
            "token_endpoint": .string(issuer + "/auth/token"),
            "revocation_endpoint": .string(issuer + "/auth/revoke"),
            "jwks_uri": .string(issuer + "/auth/keys"),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": [.string(key.algorithm.rawValue)],
            "scopes_supported": ["openid", "email", "name"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "claims_supported": [
                "aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss", "nonce", "nonce_supported",
                "real_user_status", "sub", "transfer_sub",
            ],
        ])
    }

    private func keySet() -> SentResponse {
        misbehavior == .keySetUnavailable ? .unavailable : .document(["keys": [.object(key.publicJWK)]])
    }

    /// Whether a user has not consented to this team yet, in a native app or on the web.
    func isFirstConsent(_ person: MockApple.Person, _ client: MockApple.Client) -> Bool {
        consents[AppleConsent(email: person.email, teamID: client.teamID)] == nil
    }

    /// Returns the `transfer_sub` of a user; `nil` unless the app was transferred from another team.
    func transferSubject(of person: MockApple.Person, for client: MockApple.Client) -> String? {
        previousTeams[client.id].map { person.transferSubject(from: $0, to: client.teamID) }
    }
}
