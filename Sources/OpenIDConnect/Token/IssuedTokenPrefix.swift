// SPDX-License-Identifier: Apache-2.0

/// The prefix of the broker's own tokens, so that they are not mistaken for a provider's, even if they can no longer be
/// read.
package enum IssuedTokenPrefix {
    /// An access token for UserInfo alone.
    package static let accessToken = "oidcat_"
    /// The refresh token of an app.
    package static let refreshToken = "oidcrt_"
}
