// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// The response to a refresh. Its names are those of OAuth.
struct RefreshedTokensResponse: Sendable {
    /// The account.
    var account: AccountID
    /// The new ID token, which is the access token too.
    var idToken: String
    /// The refresh token, the same as was sent.
    var refreshToken: RefreshToken
    /// The ID of the project.
    var projectID: String

    /// The members of the response.
    var members: JSONObject {
        [
            "access_token": .string(idToken),
            "expires_in": .string(String(AccountTokens.lifetime)),
            "token_type": "Bearer",
            "refresh_token": .string(refreshToken.text),
            "id_token": .string(idToken),
            "user_id": .string(account.text),
            "project_id": .string(ProjectResponse.number(of: projectID)),
        ]
    }
}
