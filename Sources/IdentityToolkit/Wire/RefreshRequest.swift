// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// A request for a new ID token.
struct RefreshRequest: Sendable {
    /// The refresh token, which proves nothing before the store was asked.
    let refreshToken: RefreshToken

    init(_ body: ToolkitBody) throws(ToolkitError) {
        guard let grantType = try body.text(.grantType) else { throw ToolkitError(.missingGrantType) }
        guard grantType.hasSameBytes(asASCII: "refresh_token") else { throw ToolkitError(.invalidGrantType) }
        guard let text = try body.text(.refreshToken) else { throw ToolkitError(.missingRefreshToken) }
        guard let refreshToken = text.visibleASCII(atMost: RefreshToken.length).flatMap({ RefreshToken($0) }) else {
            throw ToolkitError(.invalidRefreshToken)
        }
        self.refreshToken = refreshToken
    }
}
