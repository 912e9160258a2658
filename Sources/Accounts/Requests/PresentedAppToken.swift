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
    /// When the store was last away.
    package let absence: StoreAbsence

    /// Creates what an app presents.
    package init(_ token: AppRefreshToken, of app: String, policy: RefreshTokenPolicy, absence: StoreAbsence) {
        self.token = token
        self.app = app
        self.policy = policy
        self.absence = absence
    }
}
