// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// What a client has to prove itself with, and the proofs it can make of it. Prints as nothing but its name.
package struct ClientCredentials: Sendable, CustomStringConvertible, CustomReflectable {
    package var clientID: String
    /// The client secret, where there is one.
    package var secret: String?
    /// The key that signs client assertions, where there is one.
    package var signingKey: SigningKey?
    /// Whether the connection to the provider shows a certificate of this client.
    package var hasCertificate: Bool

    package init(
        clientID: String, secret: String? = nil, signingKey: SigningKey? = nil, hasCertificate: Bool = false
    ) {
        self.clientID = clientID
        self.secret = secret
        self.signingKey = signingKey
        self.hasCertificate = hasCertificate
    }

    /// Chooses the method: the configured one, else the strongest that the provider announces and these credentials can
    /// do, else none for a client that has nothing to prove itself with.
    /// - Parameters:
    ///   - announced: `token_endpoint_auth_methods_supported`.
    ///   - announcedSigningAlgorithms: `token_endpoint_auth_signing_alg_values_supported`; empty where nothing is said.
    /// - Returns: `nil` if the configured method needs what is not there, or the two sides have nothing in common.
    package func method(
        configured: ClientAuthenticationMethod?, announced: [String], announcedSigningAlgorithms: [String]
    ) -> ClientAuthenticationMethod? {
        if let configured { return canUse(configured) ? configured : nil }
        guard secret != nil || signingKey != nil || hasCertificate else { return ClientAuthenticationMethod.none }
        return ClientAuthenticationMethod.strongestFirst.first { method in
            guard method != ClientAuthenticationMethod.none, canUse(method), announced.contains(method.name) else {
                return false
            }
            guard let algorithm = assertionAlgorithm(of: method), !announcedSigningAlgorithms.isEmpty else {
                return true
            }
            return announcedSigningAlgorithms.contains(algorithm.rawValue)
        }
    }

    /// Makes the proof for one request. Signing with RSA takes more than a millisecond.
    /// - Parameters:
    ///   - issuer: the provider, the audience of an assertion.
    ///   - now: seconds since 1970.
    /// - Throws: ``ClientCredentialsError``.
    package func authentication(
        by method: ClientAuthenticationMethod, issuer: String, now: Int64
    ) throws(ClientCredentialsError) -> ClientAuthentication {
        guard canUse(method) else { throw .missing(for: method) }
        guard let algorithm = assertionAlgorithm(of: method) else {
            return ClientAuthentication(method: method, clientID: clientID, clientSecret: secret)
        }
        let claims = ClientAssertion.claims(
            clientID: clientID, issuer: issuer, identifier: SecureRandom.bytes(16), now: now)
        let assertion = try signed(claims, algorithm)
        return ClientAuthentication(
            parameters: ClientAssertion.parameters(clientID: clientID, assertion: assertion))
    }

    private func signed(_ claims: JSONObject, _ algorithm: JSONWebAlgorithm) throws(ClientCredentialsError) -> String {
        if algorithm.isSymmetric {
            guard let secret = secret.flatMap({ SharedSecretKey(Array($0.utf8)) }) else {
                throw .missing(for: .clientSecretJWT)
            }
            return secret.sign(claims, algorithm: algorithm, header: ["typ": "JWT"])
        }
        guard let signingKey else { throw .missing(for: .privateKeyJWT) }
        do {
            return try signingKey.sign(claims, type: "JWT")
        } catch {
            throw .unsignable
        }
    }

    /// The algorithm of a method's assertion; nil for a method without one.
    private func assertionAlgorithm(of method: ClientAuthenticationMethod) -> JSONWebAlgorithm? {
        switch method {
        case .privateKeyJWT: signingKey?.algorithm
        case .clientSecretJWT: .hs256
        default: nil
        }
    }

    private func canUse(_ method: ClientAuthenticationMethod) -> Bool {
        switch method {
        case .tlsClientAuth, .selfSignedTLSClientAuth: hasCertificate
        case .privateKeyJWT: signingKey != nil
        // RFC 7518 section 3.2: at least as long as the hash of HS256.
        case .clientSecretJWT: (secret?.utf8.count ?? 0) >= SharedSecretKey.fewestBytes
        case .clientSecretBasic, .clientSecretPost: secret != nil
        default: true
        }
    }

    package var description: String { "ClientCredentials" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
