// SPDX-License-Identifier: Apache-2.0

/// The reason why a discovery document was refused. Its description names the member and what was expected of it.
public struct ProviderMetadataError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case unreadable(String)
        case issuerMismatch
        case missing(String)
        case unacceptable(String)
        case requestParameter(String)
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// The body is not a JSON object within the limits.
    package static func unreadable(_ reason: String) -> Self { .init(.unreadable(reason)) }
    /// The issuer in the document is not byte for byte the configured one (OpenID Connect Discovery section 4.3).
    public static let issuerMismatch = ProviderMetadataError(.issuerMismatch)
    /// A required member is missing.
    package static func missing(_ member: String) -> Self { .init(.missing(member)) }
    /// A member has an unacceptable value.
    package static func unacceptable(_ member: String) -> Self { .init(.unacceptable(member)) }
    /// The query of `authorization_endpoint` contains a parameter that the request itself sends. The name is a
    /// constant, never text of the document.
    package static func requestParameter(_ name: String) -> Self { .init(.requestParameter(name)) }

    public var description: String {
        switch code {
        case .unreadable(let reason): "the discovery document cannot be read: \(reason)"
        case .issuerMismatch: "the discovery document is of another issuer"
        case .missing(let member): "the discovery document lacks '\(member)'"
        case .requestParameter(let name):
            "the discovery document has an 'authorization_endpoint' with '\(name)' in its query, which each request sends"
        case .unacceptable(let member): "the discovery document has an unacceptable '\(member)'"
        }
    }
}
