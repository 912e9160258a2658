// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

/// A refresh token that an OpenID app presents, and what it may do.
package struct PresentedAppToken: Sendable {
    /// The token.
    package let token: AppRefreshToken
    /// The client ID of the app that presents it.
    package let app: String
    /// What the app's refresh tokens may do.
    package let policy: RefreshTokenPolicy
    /// When the store was last away and came back, in seconds since 1970.
    package let storeReturnedAt: Int64

    /// Creates what an app presents.
    package init(_ token: AppRefreshToken, of app: String, policy: RefreshTokenPolicy, storeReturnedAt: Int64) {
        self.token = token
        self.app = app
        self.policy = policy
        self.storeReturnedAt = storeReturnedAt
    }
}
