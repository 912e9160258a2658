// SPDX-License-Identifier: Apache-2.0

/// The type of an access token (RFC 6749 section 7.1), which is the scheme of the Authorization field as well.
package enum AccessTokenType: String, Sendable, Hashable {
    /// A token that works for any holder (RFC 6750).
    case bearer = "Bearer"
    /// A token that is used with proofs of its key (RFC 9449 section 5).
    case dpop = "DPoP"

    /// The name in lower case, since it is compared in any case.
    var lowercaseName: String {
        switch self {
        case .bearer: "bearer"
        case .dpop: "dpop"
        }
    }
}
