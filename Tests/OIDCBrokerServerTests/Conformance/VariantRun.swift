// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import Testing

/// `oidcc-client-test` once more, in the variants that no plan fixes: another row of the table in
/// `Documentation/Reports/Conformance.md`.
struct VariantRun: Sendable, Hashable, CustomTestStringConvertible {
    /// What is varied.
    enum Variant: Sendable, Hashable {
        /// The client authentication of the broker; the algorithm of its assertions, if it makes any.
        case authentication(ClientAuthenticationMethod, JSONWebAlgorithm?)
        /// How ID tokens are encrypted.
        case encryption(SignInFixture.Encryption)
        /// Pushed authorization requests: whether the provider insists, or the broker's configuration does.
        case pushed(isRequired: Bool)
    }

    let variant: Variant

    /// Every variant.
    static let all = (authentications + encryptions + [.pushed(isRequired: true), .pushed(isRequired: false)])
        .map { Self(variant: $0) }

    private static let authentications: [Variant] = [
        .authentication(.clientSecretBasic, nil), .authentication(.clientSecretPost, nil),
        .authentication(.clientSecretJWT, .hs256), .authentication(.privateKeyJWT, .es256),
        .authentication(.privateKeyJWT, .rs256), .authentication(.privateKeyJWT, .ps256),
        .authentication(.privateKeyJWT, .eddsa), .authentication(.tlsClientAuth, nil),
        .authentication(.selfSignedTLSClientAuth, nil), .authentication(ClientAuthenticationMethod.none, nil),
    ]

    private static let encryptions = ["RSA-OAEP-256", "ECDH-ES"].flatMap { keyManagement in
        ["A128GCM", "A256GCM"].map { contentEncryption in
            Variant.encryption(
                SignInFixture.Encryption(keyManagement: keyManagement, contentEncryption: contentEncryption))
        }
    }

    /// For the table.
    var title: String {
        switch variant {
        case .authentication(let method, nil): "`\(method.name)`"
        case .authentication(let method, let algorithm?): "`\(method.name)`, \(algorithm.rawValue)"
        case .encryption(let encryption): "\(encryption.keyManagement), \(encryption.contentEncryption)"
        case .pushed(let isRequired): isRequired ? "the provider requires it" : "the configuration says so"
        }
    }

    var testDescription: String { title }

    /// Broker and provider as the variant wants them; the rest as in the Basic plan.
    var options: SignInFixture.Options {
        var options = SignInFixture.Options()
        options.userInfo = true
        options.sharesKeys = true
        switch variant {
        case .authentication(let method, let algorithm):
            options.clientAuthentication = method
            options.clientSecret = Self.secret(of: method)
            if let algorithm { options.clientSigningAlgorithm = algorithm }
        case .encryption(let encryption): options.encryption = encryption
        case .pushed(let isRequired):
            options.requiresPushedAuthorization = isRequired
            options.pushedAuthorization = !isRequired
        }
        return options
    }

    private static func secret(of method: ClientAuthenticationMethod) -> String? {
        switch method {
        case .clientSecretBasic, .clientSecretPost: SignInFixture.clientSecret
        case .clientSecretJWT: ClientProofs.longSecret
        default: nil
        }
    }

    /// Runs it.
    func perform() async throws -> ConformanceVerdict {
        try await ConformanceSignIn(options: options).perform()
    }
}
