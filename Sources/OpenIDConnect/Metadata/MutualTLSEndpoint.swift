// SPDX-License-Identifier: Apache-2.0

/// An endpoint to which a client sends requests itself, and which may have another address for clients that show a TLS
/// certificate: a member of the metadata, and of its `mtls_endpoint_aliases` (RFC 8705 section 5).
package enum MutualTLSEndpoint: String, Sendable, Hashable, CaseIterable {
    /// Where the code is exchanged.
    case token = "token_endpoint"
    /// Where more claims can be fetched.
    case userInfo = "userinfo_endpoint"
    /// Where tokens are revoked (RFC 7009).
    case revocation = "revocation_endpoint"
    /// Where authorization requests are pushed (RFC 9126).
    case pushedAuthorization = "pushed_authorization_request_endpoint"
}
