// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JOSE
import OIDCBrokerServer

/// The command `oidc-broker keys public`.
struct PublicKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "public",
        abstract: "Print the public keys as a JWK set, as the broker publishes them or to register at a provider.",
        discussion: """
            For a client or decryption key, register this as the JWK set of the client at the provider. For a webhook \
            key, the receiver verifies with it. The broker publishes the keys of a provider's client, as they are \
            configured, at <path-prefix>/clients/<provider>/jwks. Example:

              oidc-broker keys public /etc/oidc-broker/client-key.pem --kind client
            """)

    @OptionGroup var source: KeyFileArguments

    @Option(
        help: """
            The algorithm of a client or decryption key, if it is not the default: client-signing-algorithm or \
            decryption-algorithm of the provider.
            """)
    var algorithm: RegisteredAlgorithm?

    @Option(help: "The kid of a client key, if it is not the thumbprint: client-signing-key-id of the provider.")
    var keyID: String?

    func run() throws {
        print(try document())
    }

    /// Returns the JWK set (RFC 7517 section 5).
    /// - Throws: Exit status 78, after printing the reason as a line on standard error.
    func document() throws -> String {
        let file = try source.read()
        var signature: JSONWebAlgorithm?
        var keyManagement: KeyManagementAlgorithm?
        switch (algorithm, file.kind) {
        case (.signature(let algorithm), .client): signature = algorithm
        case (.keyManagement(let algorithm), .decryption): keyManagement = algorithm
        case (nil, _): break
        default: throw ValidationError("A \(file.kind.rawValue) key is not registered with this --algorithm.")
        }
        guard file.kind == .client || keyID == nil else {
            throw ValidationError("--key-id is for a client key alone.")
        }
        let document: [UInt8]?
        do throws(KeyFileError) {
            document = try file.keySetDocument(algorithm: signature, keyManagement: keyManagement, keyID: keyID)
        } catch {
            throw error.exit(path: source.file)
        }
        guard let document else {
            StandardError.write("\(source.file): sealing keys have no public half")
            throw ExitCode(78)
        }
        return String(decoding: document, as: UTF8.self)
    }
}
