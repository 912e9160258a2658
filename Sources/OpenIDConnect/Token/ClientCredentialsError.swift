// SPDX-License-Identifier: Apache-2.0

/// The reason why a client cannot authenticate. It contains no secret.
package struct ClientCredentialsError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case missing(ClientAuthenticationMethod)
        case unsignable
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// The client does not have the credential for the method. A client secret of fewer than 32 bytes is too short for
    /// `client_secret_jwt`.
    package static func missing(for method: ClientAuthenticationMethod) -> Self { .init(.missing(method)) }
    /// The signing key could not sign.
    package static let unsignable = ClientCredentialsError(.unsignable)

    package var description: String {
        switch code {
        case .missing(let method) where method == .clientSecretJWT:
            "client_secret_jwt needs a client secret of at least 32 bytes"
        case .missing(let method): "there is nothing to prove the client with by \(method.name)"
        case .unsignable: "the client assertion cannot be signed"
        }
    }
}
