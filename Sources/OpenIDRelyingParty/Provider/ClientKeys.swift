// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The keys and secrets of a configuration, with their PEM texts parsed once. The description contains none of them.
struct ClientKeys: Sendable, CustomStringConvertible, CustomReflectable {
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
    /// The keys that cannot be used: the member's name and what was expected of it.
    let errors: [(member: String, expected: String)]

    /// The algorithms with which a client assertion may be signed.
    static let assertionAlgorithms: [JSONWebAlgorithm] = [.es256, .rs256, .ps256, .eddsa, .ed25519]

    init(_ configuration: ProviderConfiguration) {
        var errors: [(member: String, expected: String)] = []
        var credentials = ClientCredentials(
            clientID: configuration.clientID, secret: configuration.clientSecret?.exposed,
            hasCertificate: configuration.clientCertificate != nil)
        if let pem = configuration.clientSigningKey?.exposed {
            do {
                credentials.signingKey = try Self.signingKey(pem, configuration.clientSigningAlgorithm)
            } catch {
                errors.append(("clientSigningKey", error.expected))
            }
        }
        var decryptionKeys: [DecryptionKey] = []
        for pem in configuration.decryptionKeys {
            do {
                decryptionKeys.append(try DecryptionKey(pem: pem.exposed))
            } catch {
                errors.append(("decryptionKeys", "PEM private keys, RSA of 2048 to 8192 bits or P-256: \(error)"))
            }
        }
        let names = configuration.idTokenAlgorithms
        let algorithms = names.map { Set($0.compactMap(JSONWebAlgorithm.init(rawValue:))) }
        if let names, let algorithms, algorithms.count != Set(names).count || names.isEmpty {
            errors.append(("idTokenAlgorithms", "names of signature algorithms that are supported, never 'none'"))
        }
        let symmetric = algorithms?.filter(\.isSymmetric) ?? []
        let sharedSecret =
            symmetric.isEmpty ? nil : configuration.clientSecret.flatMap { SharedSecretKey(Array($0.exposed.utf8)) }
        for algorithm in symmetric where sharedSecret?.supports(algorithm) != true {
            errors.append(
                ("idTokenAlgorithms", "with \(algorithm.rawValue) a client secret at least as long as its hash"))
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

    /// The reason why the key in a member of the configuration cannot be used; `nil` if there is none.
    func error(in member: String) -> String? {
        errors.first { $0.member == member }.map { "\($0.member): expected \($0.expected)" }
    }

    var description: String { "ClientKeys" }
    var customMirror: Mirror { Mirror(self, children: []) }

    /// The reason why the signing key cannot be used.
    private struct Unusable: Error {
        let expected: String
    }

    /// Creates the key for client assertions. If no algorithm is named, it is ES256 for a P-256 key, EdDSA for an
    /// Ed25519 key, and RS256 for an RSA key.
    private static func signingKey(_ pem: String, _ name: String?) throws(Unusable) -> SigningKey {
        let algorithm: JSONWebAlgorithm?
        do throws(SigningKeyError) {
            if let name {
                algorithm = JSONWebAlgorithm(rawValue: name)
            } else {
                algorithm = try SigningKey.defaultAlgorithm(pem: pem)
            }
            if let algorithm, assertionAlgorithms.contains(algorithm) {
                return try SigningKey(pem: pem, algorithm: algorithm)
            }
        } catch {
            throw Unusable(expected: "a PEM private key, P-256, Ed25519 or RSA of 2048 to 8192 bits: \(error)")
        }
        throw Unusable(expected: "a key and an algorithm for ES256, RS256, PS256, EdDSA or Ed25519")
    }
}
