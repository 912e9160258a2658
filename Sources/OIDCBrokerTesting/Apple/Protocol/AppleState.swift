// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty

/// Everything a mock Apple knows, as a value: validates a request without I/O, clock or lock of its own.
struct AppleState: Sendable {
    /// What is to be done with a request.
    enum Plan: Sendable {
        /// Send this.
        case response(SentResponse)
        /// Sign a token, outside of the lock, and send the response with it.
        case sign(@Sendable () -> SentResponse)
    }

    /// Once so many requests are recorded, the older half is forgotten.
    private static let recordedLimit = 20_000

    var configuration: MockApple.Configuration
    var misbehavior: MockApple.Misbehavior
    var key: SigningKey
    var developerKeys: [RegisteredKey]
    /// Set when the port is known, before the first request is accepted.
    var issuer = ""
    var counts = MockApple.Counts()
    var clientSecretRefusals: [String] = []
    var recorded: [OpenIDProvider.RecordedRequest] = []
    /// The team an app came from, by client id.
    var previousTeams: [String: String] = [:]
    /// Who gave consent, and whether they hide their address.
    var consents: [AppleConsent: Bool] = [:]
    /// Sign-ins that wait on the consent page, by their ticket.
    var tickets = ExpiringValues<ApplePendingConsent>()
    /// Authorization codes.
    var codes = ExpiringValues<AppleGrant>()
    /// Access and refresh tokens.
    var accessTokens = ExpiringValues<AppleGrant>()
    var refreshTokens = ExpiringValues<AppleGrant>()
    /// Access tokens for migration, with the client they are for.
    var migrationTokens = ExpiringValues<MockApple.Client>()
    /// The hashes of the client secrets that were accepted.
    var clientSecrets: Set<[UInt8]> = []

    init(configuration: MockApple.Configuration, key: SigningKey) throws {
        self.configuration = configuration
        self.key = key
        developerKeys = try configuration.developerKeys.map(RegisteredKey.init)
        misbehavior = configuration.misbehavior
    }

    var now: Int64 { configuration.clock.now() }

    /// A fresh code, token or ticket: 256 bits.
    static func randomValue() -> String { Base64URL.encode(SecureRandom.bytes(32)) }

    /// Validates a request.
    mutating func plan(for request: ReceivedRequest) -> Plan {
        record(request)
        switch (request.method, request.path) {
        case ("GET", "/.well-known/openid-configuration"): return .response(discovery())
        case ("GET", "/auth/keys"): return .response(keySet())
        case ("GET", "/auth/authorize"): return authorize(request.query)
        case ("POST", "/auth/authorize"): return submit(request.form)
        case ("POST", "/auth/token"): return token(request.form)
        case ("POST", "/auth/revoke"): return .response(revoke(request.form))
        case ("POST", "/auth/usermigrationinfo"): return .response(migrate(request))
        default: return .response(.plain(status: 404, "Not Found"))
        }
    }

    private mutating func record(_ request: ReceivedRequest) {
        guard configuration.recordsRequests else { return }
        if recorded.count == Self.recordedLimit { recorded.removeFirst(Self.recordedLimit / 2) }
        recorded.append(OpenIDProvider.RecordedRequest(request))
    }

    /// Discovery as Apple publishes it: it does not tell all that Apple does.
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

    /// What a native app or a page made of consent: who has it already is not asked again.
    func isFirstConsent(_ person: MockApple.Person, _ client: MockApple.Client) -> Bool {
        consents[AppleConsent(email: person.email, teamID: client.teamID)] == nil
    }

    /// `transfer_sub` of a person, where the app came from another team.
    func transferSubject(of person: MockApple.Person, for client: MockApple.Client) -> String? {
        previousTeams[client.id].map { person.transferSubject(from: $0, to: client.teamID) }
    }
}
