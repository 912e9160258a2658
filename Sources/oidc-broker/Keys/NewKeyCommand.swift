// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JOSE
import OIDCBrokerServer
import OpenIDRelyingParty

/// The command `oidc-broker keys new`.
struct NewKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create a key in the form that the configuration reads.",
        discussion: """
            The key goes to standard output, or to a new file that only you can read. An existing file is never \
            replaced. For a new file with a client or decryption key, the JWK set to register at the provider is printed. \
            Example:

              oidc-broker keys new signing --algorithm rs256 --output /etc/oidc-broker/signing-keys.pem
            """)

    @Argument(
        help: """
            What the key is for: sealing (auth.sealing-keys), signing (auth.signing-keys), resource \
            (auth.resource-signing-keys), accounts (auth.accounts.signing-keys), session-cookies \
            (auth.accounts.session-cookie-keys), client (client-signing-key of a provider), decryption \
            (decryption-keys of a provider) or webhook \
            (auth.webhook.signing-key).
            """)
    var kind: KeyKind

    @Option(
        help: """
            The algorithm of a key: es256 or rs256, and for client also es384 or es512. Default: es256. RSA keys have 2048 \
            bits.
            """)
    var algorithm: KeyAlgorithm?

    @Option(help: ArgumentHelp("The new file, with mode 0600.", valueName: "file"))
    var output: String?

    func validate() throws {
        guard let algorithm, !NewKey.algorithms(of: kind).contains(algorithm.algorithm) else { return }
        let names = NewKey.algorithms(of: kind).map { $0.rawValue.lowercased() }.joined(separator: " or ")
        throw ValidationError(
            kind == .sealing ? "A sealing key has no --algorithm." : "A \(kind.rawValue) key is one for \(names).")
    }

    func run() throws {
        do throws(KeyFileError) {
            let key = try NewKey.text(kind, algorithm: algorithm?.algorithm).exposed
            guard let output else {
                print(key, terminator: "")
                return
            }
            try DurableFile.create(Array(key.utf8), at: output)
            // What is registered at the provider.
            guard kind == .client || kind == .decryption,
                let document = try KeyFile(Array(key.utf8), kind: kind).keySetDocument()
            else { return }
            print(String(decoding: document, as: UTF8.self))
        } catch {
            throw error.exit(path: output ?? "the new key")
        }
    }
}
