// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The response to a refresh. Its names are those of OAuth.
struct TokenResponse: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case idToken = "id_token"
        case refreshToken = "refresh_token"
        case expiresIn = "expires_in"
        case userID = "user_id"
    }

    let idToken: String
    let refreshToken: String
    let expiresIn: String
    let userID: String

    /// Reads the tokens.
    /// - Parameters:
    ///   - uid: The account to which they must belong.
    ///   - now: The current time.
    /// - Throws: ``AccountsError`` if they do not belong to the account.
    func tokens(of uid: String, at now: Date) throws -> SessionTokens {
        guard userID.utf8.elementsEqual(uid.utf8), !idToken.isEmpty, !refreshToken.isEmpty else {
            throw AccountsError(.unexpectedResponse)
        }
        return SessionTokens(
            idToken: HiddenText(idToken), refreshToken: HiddenText(refreshToken), obtainedAt: now,
            expiresAt: now.addingTimeInterval(try TokenLifetime.seconds(expiresIn)))
    }
}
