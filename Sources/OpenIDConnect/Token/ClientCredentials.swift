// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The credentials of a client, and the authentication that they allow. Printing them shows only the type.
package struct ClientCredentials: Sendable, Unprinted {
    /// The client ID.
    package var clientID: String
    /// The client secret; `nil` if there is none.
    package var secret: String?
    /// The key that signs client assertions and request objects; `nil` if there is none.
    package var signingKey: SigningKey?
    /// The members of the header of what is signed that name the signing key: `kid`, or those of its certificate.
    package var signingKeyNames: JSONObject = [:]
    /// Whether the connection to the provider presents a certificate of this client.
    package var hasCertificate: Bool
    /// The `typ` of client assertions (RFC 10070).
    package var assertionTyp: String

    /// Creates the credentials of a client; without any, of one that does not authenticate.
    package init(
        clientID: String, secret: String? = nil, signingKey: SigningKey? = nil, hasCertificate: Bool = false,
        assertionTyp: String = "JWT"
    ) {
        self.clientID = clientID
        self.secret = secret
        self.signingKey = signingKey
        if let signingKey { signingKeyNames = ["kid": .string(signingKey.keyID)] }
        self.hasCertificate = hasCertificate
        self.assertionTyp = assertionTyp
    }

    /// Chooses the method: the configured one, otherwise the strongest that the provider announces and these
    /// credentials allow, otherwise `none` for a client without credentials.
    /// - Parameters:
    ///   - announced: The provider's `token_endpoint_auth_methods_supported`.
    ///   - announcedSigningAlgorithms: The provider's `token_endpoint_auth_signing_alg_values_supported`; empty if it
    ///     is absent.
    /// - Returns: `nil` if a credential for the configured method is missing, or client and provider have no method in
    ///   common.
    package func method(
        configured: ClientAuthenticationMethod?, announced: [String], announcedSigningAlgorithms: [String]
    ) -> ClientAuthenticationMethod? {
        if let configured { return canUse(configured) ? configured : nil }
        guard secret != nil || signingKey != nil || hasCertificate else { return ClientAuthenticationMethod.none }
        return ClientAuthenticationMethod.strongestFirst.first { method in
            guard method != ClientAuthenticationMethod.none, canUse(method), announced.contains(method.name) else {
                return false
            }
            guard method == .privateKeyJWT || method == .clientSecretJWT else { return true }
            return assertionAlgorithm(of: method, announced: announcedSigningAlgorithms) != nil
        }
    }

    /// Creates the authentication of one request. Signing with an RSA key takes more than a millisecond.
    /// - Parameters:
    ///   - audience: The audience of an assertion: the issuer of the provider, or its token endpoint.
    ///   - announcedSigningAlgorithms: The provider's `token_endpoint_auth_signing_alg_values_supported`; empty if it
    ///     is absent.
    ///   - now: The current time, in seconds since 1970.
    /// - Throws: ``ClientCredentialsError``.
    package func authentication(
        by method: ClientAuthenticationMethod, audience: String, announcedSigningAlgorithms: [String] = [], now: Int64
    ) throws(ClientCredentialsError) -> ClientAuthentication {
        guard canUse(method) else { throw .missing(for: method) }
        // An algorithm that is not announced is tried where the configuration chose the method.
        let chosen =
            assertionAlgorithm(of: method, announced: announcedSigningAlgorithms)
            ?? assertionAlgorithm(of: method, announced: [])
        guard let algorithm = chosen else {
            return ClientAuthentication(method: method, clientID: clientID, clientSecret: secret)
        }
        let claims = ClientAssertion.claims(
            clientID: clientID, audience: audience, identifier: SecureRandom.bytes(16), now: now)
        let assertion = try signed(claims, algorithm, type: assertionTyp)
        return ClientAuthentication(
            parameters: ClientAssertion.parameters(clientID: clientID, assertion: assertion))
    }

    /// Returns an authorization request as a request object (RFC 9101 section 4). Signing with an RSA key takes more than a
    /// millisecond.
    /// - Parameters:
    ///   - issuer: The issuer of the provider, which is the audience.
    ///   - announcedSigningAlgorithms: The provider's `request_object_signing_alg_values_supported`; empty if it is absent.
    ///   - now: The current time, in seconds since 1970.
    /// - Throws: ``ClientCredentialsError``.
    package func requestObject(
        of request: AuthorizationRequest, issuer: String, announcedSigningAlgorithms: [String], now: Int64
    ) throws(ClientCredentialsError) -> String {
        let chosen = assertionAlgorithm(of: .privateKeyJWT, announced: announcedSigningAlgorithms)
        guard let algorithm = chosen ?? signingKey?.algorithm else { throw .missing(for: .privateKeyJWT) }
        let claims = RequestObject.claims(of: request, audience: issuer, now: now)
        return try signed(claims, algorithm, type: RequestObject.type)
    }

    private func signed(
        _ claims: JSONObject, _ algorithm: JSONWebAlgorithm, type: String
    ) throws(ClientCredentialsError) -> String {
        if algorithm.isSymmetric {
            guard let secret = secret.flatMap({ SharedSecretKey(Array($0.utf8)) }) else {
                throw .missing(for: .clientSecretJWT)
            }
            return secret.sign(claims, algorithm: algorithm, header: ["typ": .string(type)])
        }
        guard let signingKey else { throw .missing(for: .privateKeyJWT) }
        do {
            // `EdDSA` and `Ed25519` are one algorithm. The provider may announce only one of the names.
            var header: JSONObject = ["alg": .string(algorithm.rawValue), "typ": .string(type)]
            for member in signingKeyNames.members { header[member.name] = member.value }
            return try signingKey.sign(header: header, payload: claims.serialized())
        } catch {
            throw .unsignable
        }
    }

    /// The signature algorithm of a method's assertion by a name that is announced; `nil` if the method does not use one,
    /// or none that is announced.
    /// - Parameter announced: The names that the provider announces; empty if it announces none, and all are taken.
    private func assertionAlgorithm(
        of method: ClientAuthenticationMethod, announced: [String]
    ) -> JSONWebAlgorithm? {
        switch method {
        case .privateKeyJWT:
            guard let own = signingKey?.algorithm else { return nil }
            if announced.isEmpty || announced.contains(own.rawValue) { return own }
            return announced.lazy.compactMap { JSONWebAlgorithm(rawValue: $0) }.first { $0.isSame(as: own) }
        case .clientSecretJWT:
            guard !announced.isEmpty else { return .hs256 }
            let key = secret.flatMap { SharedSecretKey(Array($0.utf8)) }
            return Self.symmetric.first { announced.contains($0.rawValue) && key?.supports($0) == true }
        default: return nil
        }
    }

    /// The algorithms of `client_secret_jwt`, the one that every such provider supports first.
    private static let symmetric: [JSONWebAlgorithm] = [.hs256, .hs384, .hs512]

    private func canUse(_ method: ClientAuthenticationMethod) -> Bool {
        switch method {
        case .tlsClientAuth, .selfSignedTLSClientAuth: hasCertificate
        case .privateKeyJWT: signingKey != nil
        // The secret must be at least as long as the hash of HS256 (RFC 7518 section 3.2).
        case .clientSecretJWT: (secret?.utf8.count ?? 0) >= SharedSecretKey.fewestBytes
        case .clientSecretBasic, .clientSecretPost: secret != nil
        default: true
        }
    }
}
