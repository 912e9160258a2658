// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOSSL
import OpenIDConnect

/// The keys and secrets of a configuration, with their PEM texts parsed once. The description does not contain them.
struct ClientKeys: Sendable, Unprinted {
    /// The credentials with which the client authenticates.
    let credentials: ClientCredentials
    /// The client authentication by `client_secret_basic`, which is the same for every request; `nil` if there is no
    /// secret.
    let basic: ClientAuthentication?
    /// The private keys that decrypt ID tokens.
    let decryptionKeys: [DecryptionKey]
    /// The only algorithm with which those are used; `nil` for all that they serve.
    let decryptionAlgorithm: KeyManagementAlgorithm?
    /// The key that verifies ID tokens whose algorithm is an HMAC; `nil` if no such algorithm is registered.
    let sharedSecret: SharedSecretKey?
    /// The algorithms registered for this client's ID tokens; `nil` if those in the metadata apply.
    let registeredAlgorithms: Set<JSONWebAlgorithm>?
    /// The errors in the keys that cannot be used.
    let errors: [ProviderConfigurationError]

    /// The algorithms with which a client assertion may be signed.
    static let assertionAlgorithms: [JSONWebAlgorithm] = [
        .es256, .es384, .es512, .rs256, .ps256, .eddsa, .ed25519,
    ]

    init(_ configuration: ProviderConfiguration) {
        var errors: [ProviderConfigurationError] = []
        var credentials = ClientCredentials(
            clientID: configuration.clientID, secret: configuration.clientSecret?.exposed,
            hasCertificate: configuration.clientCertificate != nil,
            assertionTyp: configuration.clientAssertionTyp.rawValue)
        if let pem = configuration.clientSigningKey?.exposed {
            do {
                let key = try Self.signingKey(
                    pem, configuration.clientSigningAlgorithm, ofRSA: configuration.isFAPI ? .ps256 : .rs256)
                credentials.signingKey = key
                credentials.signingKeyNames = Self.names(of: key, configuration)
            } catch {
                errors.append(error)
            }
        }
        var decryptionKeys: [DecryptionKey] = []
        for pem in configuration.decryptionKeys {
            do {
                decryptionKeys.append(try DecryptionKey(pem: pem.exposed))
            } catch {
                errors.append(
                    ProviderConfigurationError(
                        .invalid, \.decryptionKeys,
                        "PEM private keys, RSA of 2048 to 8192 bits, P-256, P-384, P-521 or X25519; the key "
                            + "\(PrivateKeyProblem(pem.exposed, kinds: [.p256, .p384, .p521, .x25519, .rsa]))"))
            }
        }
        let encryption = configuration.decryptionAlgorithm.flatMap(KeyManagementAlgorithm.init(rawValue:))
        if configuration.decryptionAlgorithm != nil, encryption == nil {
            let supported = KeyManagementAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            errors.append(ProviderConfigurationError(.invalid, \.decryptionAlgorithm, "one of \(supported)"))
        } else if let encryption, decryptionKeys.count == configuration.decryptionKeys.count,
            !decryptionKeys.contains(where: { $0.serves(encryption) })
        {
            errors.append(
                ProviderConfigurationError(
                    .conflicting, \.decryptionAlgorithm, "no value without a decryption key for it"))
        }
        let names = configuration.idTokenAlgorithms
        let algorithms = names.map { Set($0.compactMap(JSONWebAlgorithm.init(rawValue:))) }
        if let names, let algorithms, algorithms.count != Set(names).count || names.isEmpty {
            let other = names.first { JSONWebAlgorithm(rawValue: $0) == nil }
            let unknown = other.map { ": '\($0)' is not one of them" } ?? ""
            let supported = JSONWebAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            errors.append(
                ProviderConfigurationError(
                    .invalid, \.idTokenAlgorithms,
                    "names of signature algorithms that are supported, never 'none' (\(supported))\(unknown)"))
        }
        let symmetric = algorithms?.filter(\.isSymmetric) ?? []
        let sharedSecret =
            symmetric.isEmpty ? nil : configuration.clientSecret.flatMap { SharedSecretKey(Array($0.exposed.utf8)) }
        for algorithm in symmetric where sharedSecret?.supports(algorithm) != true {
            errors.append(
                ProviderConfigurationError(
                    .conflicting, \.idTokenAlgorithms,
                    "with \(algorithm.rawValue) a client secret at least as long as its hash"))
        }
        self.credentials = credentials
        basic = credentials.secret.map {
            ClientAuthentication(method: .clientSecretBasic, clientID: credentials.clientID, clientSecret: $0)
        }
        self.decryptionKeys = decryptionKeys
        decryptionAlgorithm = encryption
        self.sharedSecret = sharedSecret
        registeredAlgorithms = algorithms
        self.errors = errors
    }

    /// The members that name the key in the header of an assertion.
    private static func names(of key: SigningKey, _ configuration: ProviderConfiguration) -> JSONObject {
        var names: JSONObject = [:]
        switch configuration.clientSigningKeyID {
        case .thumbprint: names["kid"] = .string(key.keyID)
        case .named(let name): names["kid"] = .string(name)
        case .none: break
        }
        let pem = configuration.clientSigningCertificate
        if let certificate = pem.flatMap({ NIOSSLCertificate.certificates(inPEM: $0).first }),
            let der = try? certificate.toDERBytes()
        {
            names["x5t#S256"] = .string(Base64URL.encode(Hash.sha256(der)))
            names["x5t"] = .string(Base64URL.encode(Hash.sha1(der)))
        }
        return names
    }

    /// The public keys of the client as the JWK set that is registered at the provider (RFC 7517 section 5): the key of its
    /// assertions, with their `kid` and `alg`, and those that decrypt what it receives.
    var publicKeySet: JSONObject {
        var keys = decryptionKeys.map { $0.publicJWK(for: decryptionAlgorithm) }
        if var jwk = credentials.signingKey?.publicJWK {
            jwk["kid"] = credentials.signingKeyNames["kid"]
            if let thumbprint = credentials.signingKeyNames["x5t#S256"] { jwk["x5t#S256"] = thumbprint }
            keys.insert(jwk, at: 0)
        }
        return ["keys": .array(keys.map { .object($0) })]
    }

    /// The reason why the keys in these members of the configuration cannot be used; `nil` if there is none.
    func error(in members: PartialKeyPath<ProviderConfiguration>...) -> String? {
        errors.first { members.contains($0.member) }.map { "\($0)" }
    }

    /// Creates the key for client assertions. If no algorithm is named, it is ES256, ES384 or ES512 for an elliptic
    /// curve's key, EdDSA for an Ed25519 key, and the given one for an RSA key.
    private static func signingKey(
        _ pem: String, _ name: String?, ofRSA: JSONWebAlgorithm
    ) throws(ProviderConfigurationError) -> SigningKey {
        let named = name.flatMap(JSONWebAlgorithm.init(rawValue:))
        guard name == nil || named.map(assertionAlgorithms.contains) == true else {
            throw ProviderConfigurationError(
                .invalid, \.clientSigningAlgorithm, "ES256, ES384, ES512, RS256, PS256, EdDSA or Ed25519")
        }
        do throws(SigningKeyError) {
            var algorithm = named
            if algorithm == nil {
                let usual = try SigningKey.defaultAlgorithm(pem: pem)
                algorithm = usual == .rs256 ? ofRSA : usual
            }
            if let algorithm, assertionAlgorithms.contains(algorithm) {
                return try SigningKey(pem: pem, algorithm: algorithm)
            }
        } catch {
            throw ProviderConfigurationError(
                .invalid, \.clientSigningKey,
                "a PEM private key, P-256, P-384, P-521, Ed25519 or RSA of 2048 to 8192 bits; the key "
                    + "\(PrivateKeyProblem(pem, kinds: kinds(named)))")
        }
        throw ProviderConfigurationError(
            .invalid, \.clientSigningKey,
            "a PEM private key, P-256, P-384, P-521, Ed25519 or RSA of 2048 to 8192 bits; the key "
                + "\(PrivateKeyProblem(pem, kinds: kinds(named)))")
    }

    /// The kinds of keys that sign with an algorithm, or with one that is not named.
    private static func kinds(_ algorithm: JSONWebAlgorithm?) -> Set<PrivateKeyProblem.Kind> {
        switch algorithm {
        case .es256: [.p256]
        case .es384: [.p384]
        case .es512: [.p521]
        case .rs256, .ps256: [.rsa]
        case .eddsa, .ed25519: [.ed25519]
        default: [.p256, .p384, .p521, .ed25519, .rsa]
        }
    }
}
