// SPDX-License-Identifier: Apache-2.0

/// An endpoint that the client calls directly and that may have another address for clients with a TLS certificate: a
/// member of the metadata and of its `mtls_endpoint_aliases` (RFC 8705 section 5).
package enum MutualTLSEndpoint: String, Sendable, Hashable, CaseIterable {
    /// The token endpoint.
    case token = "token_endpoint"
    /// The UserInfo endpoint.
    case userInfo = "userinfo_endpoint"
    /// The revocation endpoint (RFC 7009).
    case revocation = "revocation_endpoint"
    /// The pushed authorization request endpoint (RFC 9126).
    case pushedAuthorization = "pushed_authorization_request_endpoint"

    /// The member with the endpoints for clients with a certificate.
    static let aliases = "mtls_endpoint_aliases"

    /// The name of its alias in an error.
    package var alias: String { Self.aliases + "." + rawValue }
}
