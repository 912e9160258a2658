// SPDX-License-Identifier: Apache-2.0

/// What the texts of the broker's own tokens begin with, so that none of them is taken for a provider's, also where it
/// cannot be read any more.
package enum IssuedTokenPrefix {
    /// An access token for UserInfo alone.
    package static let accessToken = "oidcat_"
    /// The refresh token of an app.
    package static let refreshToken = "oidcrt_"
}
