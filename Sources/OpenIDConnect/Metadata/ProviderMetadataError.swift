// SPDX-License-Identifier: Apache-2.0

/// Why a discovery document was refused. The text names the member and what was expected of it.
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

    /// Not one JSON object within the limits.
    package static func unreadable(_ reason: String) -> Self { .init(.unreadable(reason)) }
    /// The issuer in the document is not, byte for byte, the one that was asked (OpenID Connect Discovery 4.3).
    public static let issuerMismatch = ProviderMetadataError(.issuerMismatch)
    /// A required member is not there.
    package static func missing(_ member: String) -> Self { .init(.missing(member)) }
    /// A member does not hold what it may hold.
    package static func unacceptable(_ member: String) -> Self { .init(.unacceptable(member)) }
    /// The query of `authorization_endpoint` has a parameter that the request itself sends; the name is one of ours,
    /// never the document's text.
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
