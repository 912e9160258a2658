// SPDX-License-Identifier: Apache-2.0

/// The reason why a discovery document was refused. Its description names the member and what was expected of it.
public struct ProviderMetadataError: Error, Hashable, CustomStringConvertible {
    public let description: String

    private init(_ problem: String) {
        description = "the discovery document \(problem)"
    }

    /// The body is not a JSON object within the limits.
    package static func unreadable(_ reason: String) -> Self { .init("cannot be read: \(reason)") }
    /// The issuer in the document is not byte for byte the configured one (OpenID Connect Discovery section 4.3).
    public static let issuerMismatch = ProviderMetadataError(
        "has another 'issuer' than the configured one; they must be equal, byte for byte")
    /// A required member is missing.
    package static func missing(_ member: String) -> Self { .init("has no '\(member)'") }
    /// A member has an unacceptable value.
    package static func unacceptable(_ member: String) -> Self { .init("has an invalid '\(member)'") }
    /// An endpoint is on a host to which this server must not send requests.
    package static func hostNotAllowed(_ member: String) -> Self {
        .init("has '\(member)' on a host that is not allowed for this provider")
    }
    /// A member names algorithms that are registered, and none that is supported here.
    /// - Parameter names: Names from a closed list, never text of the document.
    package static func unsupported(_ member: String, _ names: [String]) -> Self {
        .init("has no supported algorithm in '\(member)', only \(names.joined(separator: ", "))")
    }
    /// The query of `authorization_endpoint` contains a parameter that the request itself sends. The name is a
    /// constant, never text of the document.
    package static func requestParameter(_ name: String) -> Self {
        .init("has an 'authorization_endpoint' with '\(name)' in its query; every request sends this parameter itself")
    }
}
