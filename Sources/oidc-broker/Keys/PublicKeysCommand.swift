// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OIDCBrokerServer

/// The command `oidc-broker keys public`.
struct PublicKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "public",
        abstract: "Print the public keys as a JWK set, as the broker publishes them or to register at a provider.",
        discussion: """
            For a client key, register this as the JWK set of the client at the provider. For a webhook key, the \
            receiver verifies with it. Example:

              oidc-broker keys public /etc/oidc-broker/client-key.pem --kind client
            """)

    @OptionGroup var source: KeyFileArguments

    func run() throws {
        print(try document())
    }

    /// Returns the JWK set (RFC 7517 section 5).
    /// - Throws: Exit status 78, after printing the reason as a line on standard error.
    func document() throws -> String {
        guard let document = try source.read().keySetDocument else {
            StandardError.write("\(source.file): sealing keys have no public half")
            throw ExitCode(78)
        }
        return String(decoding: document, as: UTF8.self)
    }
}
