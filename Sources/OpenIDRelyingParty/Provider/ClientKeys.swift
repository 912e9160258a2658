// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What a configuration has to prove, to verify and to decrypt with, its PEM texts read once. Prints as nothing but its
/// name.
struct ClientKeys: Sendable, CustomStringConvertible, CustomReflectable {
    /// What the client proves itself with.
    let credentials: ClientCredentials
    /// The proof by `client_secret_basic`, which is the same for every request; `nil` if there is no secret.
    let basic: ClientAuthentication?
    /// What encrypted ID tokens are opened with.
    let decryptionKeys: [DecryptionKey]
    /// What ID tokens are verified with whose algorithm is an HMAC; `nil` if none of those is registered.
    let sharedSecret: SharedSecretKey?
    /// The algorithms registered for this client's ID tokens; nil takes those that the metadata announces.
    let registeredAlgorithms: Set<JSONWebAlgorithm>?
    /// What could not be read: the member's name and what was expected of it.
    let errors: [(member: String, expected: String)]

    /// The algorithms a client assertion may be signed with.
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

    /// The reason a key that a request needs cannot be used, where there is one.
    func error(in member: String) -> String? {
        errors.first { $0.member == member }.map { "\($0.member): expected \($0.expected)" }
    }

    var description: String { "ClientKeys" }
    var customMirror: Mirror { Mirror(self, children: []) }

    /// Why the signing key cannot be used.
    private struct Unusable: Error {
        let expected: String
    }

    /// Without a name a P-256 key signs ES256, an Ed25519 key EdDSA, an RSA key RS256.
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
