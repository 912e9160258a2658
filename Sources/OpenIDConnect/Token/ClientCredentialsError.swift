// SPDX-License-Identifier: Apache-2.0

/// The reason why a client cannot authenticate. It contains no secret.
package struct ClientCredentialsError: Error, Hashable, CustomStringConvertible {
    package let description: String

    /// The client does not have the credential for the method. A client secret of fewer than 32 bytes is too short for
    /// `client_secret_jwt`.
    package static func missing(for method: ClientAuthenticationMethod) -> Self {
        .init(
            description: method == .clientSecretJWT
                ? "client_secret_jwt needs a client secret of at least 32 bytes"
                : "no credential is configured for \(method.name)")
    }
    /// The signing key could not sign.
    package static let unsignable = ClientCredentialsError(description: "the client assertion cannot be signed")
}
