// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The keys and secrets of a configuration, with their PEM texts parsed once. The description contains none of them.
struct ClientKeys: Sendable, Unprinted {
    /// The credentials with which the client authenticates.
    let credentials: ClientCredentials
    /// The client authentication by `client_secret_basic`, which is the same for every request; `nil` if there is no
    /// secret.
    let basic: ClientAuthentication?
    /// The private keys that decrypt ID tokens.
    let decryptionKeys: [DecryptionKey]
    /// The key that verifies ID tokens whose algorithm is an HMAC; `nil` if no such algorithm is registered.
    let sharedSecret: SharedSecretKey?
    /// The algorithms registered for this client's ID tokens; `nil` if those in the metadata apply.
    let registeredAlgorithms: Set<JSONWebAlgorithm>?
    /// The errors in the keys that cannot be used.
    let errors: [ProviderConfigurationError]

    /// The algorithms with which a client assertion may be signed.
    static let assertionAlgorithms: [JSONWebAlgorithm] = [.es256, .rs256, .ps256, .eddsa, .ed25519]

    init(_ configuration: ProviderConfiguration) {
        var errors: [ProviderConfigurationError] = []
        var credentials = ClientCredentials(
            clientID: configuration.clientID, secret: configuration.clientSecret?.exposed,
            hasCertificate: configuration.clientCertificate != nil,
            assertionTyp: configuration.clientAssertionTyp.rawValue)
        if let pem = configuration.clientSigningKey?.exposed {
            do {
                credentials.signingKey = try Self.signingKey(pem, configuration.clientSigningAlgorithm)
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
                        "PEM private keys, RSA of 2048 to 8192 bits, P-256, P-384 or P-521; the key "
                            + "\(PrivateKeyProblem(pem.exposed, kinds: [.p256, .p384, .p521, .rsa]))"))
            }
        }
        let names = configuration.idTokenAlgorithms
        let algorithms = names.map { Set($0.compactMap(JSONWebAlgorithm.init(rawValue:))) }
        if let names, let algorithms, algorithms.count != Set(names).count || names.isEmpty {
            let other = names.first { JSONWebAlgorithm(rawValue: $0) == nil }
            let unknown = other.map { ": '\($0)' is none of them" } ?? ""
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
        self.sharedSecret = sharedSecret
        registeredAlgorithms = algorithms
        self.errors = errors
    }

    /// The reason why the keys in these members of the configuration cannot be used; `nil` if there is none.
    func error(in members: PartialKeyPath<ProviderConfiguration>...) -> String? {
        errors.first { members.contains($0.member) }.map { "\($0)" }
    }

    /// Creates the key for client assertions. If no algorithm is named, it is ES256 for a P-256 key, EdDSA for an
    /// Ed25519 key, and RS256 for an RSA key.
    private static func signingKey(
        _ pem: String, _ name: String?
    ) throws(ProviderConfigurationError) -> SigningKey {
        let named = name.flatMap(JSONWebAlgorithm.init(rawValue:))
        guard name == nil || named.map(assertionAlgorithms.contains) == true else {
            throw ProviderConfigurationError(
                .invalid, \.clientSigningAlgorithm, "ES256, RS256, PS256, EdDSA or Ed25519")
        }
        do throws(SigningKeyError) {
            var algorithm = named
            if algorithm == nil { algorithm = try SigningKey.defaultAlgorithm(pem: pem) }
            if let algorithm, assertionAlgorithms.contains(algorithm) {
                return try SigningKey(pem: pem, algorithm: algorithm)
            }
        } catch {
            throw ProviderConfigurationError(
                .invalid, \.clientSigningKey,
                "a PEM private key, P-256, Ed25519 or RSA of 2048 to 8192 bits; the key "
                    + "\(PrivateKeyProblem(pem, kinds: kinds(named)))")
        }
        throw ProviderConfigurationError(
            .invalid, \.clientSigningKey,
            "a PEM private key, P-256, Ed25519 or RSA of 2048 to 8192 bits; the key "
                + "\(PrivateKeyProblem(pem, kinds: kinds(named)))")
    }

    /// The kinds of keys that sign with an algorithm, or with one that is not named.
    private static func kinds(_ algorithm: JSONWebAlgorithm?) -> Set<PrivateKeyProblem.Kind> {
        switch algorithm {
        case .es256: [.p256]
        case .rs256, .ps256: [.rsa]
        case .eddsa, .ed25519: [.ed25519]
        default: [.p256, .ed25519, .rsa]
        }
    }
}
