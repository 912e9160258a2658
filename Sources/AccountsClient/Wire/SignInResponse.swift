// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The response to a sign-in, a link or a re-authentication: tokens of an account, or a credential that did not sign
/// in.
struct SignInResponse: Decodable, Sendable {
    let providerId: String?
    let localId: String?
    let idToken: String?
    let refreshToken: String?
    let expiresIn: String?
    let federatedId: String?
    let email: String?
    let emailVerified: Bool?
    let displayName: String?
    let photoUrl: String?
    /// A text that holds JSON.
    let rawUserInfo: String?
    let isNewUser: Bool?
    let oauthIdToken: String?
    let oauthAccessToken: String?
    let pendingToken: String?
    let errorMessage: String?
    let needConfirmation: Bool?
    let verifiedProvider: [String]?

    /// What a sign-in gives.
    struct Entered: Sendable {
        let tokens: SessionTokens
        let uid: String
        let providerID: String
        let isNewUser: Bool
        let profile: [String: JSONValue]
        let providerTokens: ProviderTokens
        /// The account as far as the response tells it.
        let user: User
    }

    /// Reads the tokens.
    /// - Parameter now: The current time.
    /// - Throws: ``AccountsError`` if the credential did not sign in, or something is missing.
    func entered(at now: Date) throws -> Entered {
        if let conflict { throw conflict }
        guard let uid = localId, let idToken, let refreshToken, let providerId, !uid.isEmpty, !idToken.isEmpty,
            !refreshToken.isEmpty, !providerId.isEmpty
        else { throw AccountsError(.unexpectedResponse) }
        let lifetime = try TokenLifetime.seconds(expiresIn)
        return Entered(
            tokens: SessionTokens(
                idToken: HiddenText(idToken), refreshToken: HiddenText(refreshToken), obtainedAt: now,
                expiresAt: now.addingTimeInterval(lifetime)),
            uid: uid, providerID: providerId, isNewUser: isNewUser ?? false, profile: profile,
            providerTokens: ProviderTokens(
                idToken: oauthIdToken.map { HiddenText($0) }, accessToken: oauthAccessToken.map { HiddenText($0) }),
            user: user(uid: uid, providerID: providerId))
    }

    private var profile: [String: JSONValue] {
        guard let rawUserInfo,
            let profile = try? JSONDecoder().decode([String: JSONValue].self, from: Data(rawUserInfo.utf8))
        else { return [:] }
        return profile
    }

    private func user(uid: String, providerID: String) -> User {
        let photoURL = photoUrl.flatMap { URL(string: $0) }
        let identity = ProviderUserInfo(
            providerID: providerID, uid: federatedId ?? "", displayName: displayName, email: email, photoURL: photoURL)
        return User(
            uid: uid, displayName: displayName, email: email, isEmailVerified: emailVerified ?? false,
            photoURL: photoURL, providerData: [identity], creationDate: nil, lastSignInDate: nil)
    }

    /// The error that hands the credential back; `nil` if the user was signed in.
    private var conflict: AccountsError? {
        let code: AccountsError.Code
        if needConfirmation == true {
            code = .accountExistsWithDifferentCredential
        } else if let errorMessage {
            code = AccountsError(message: errorMessage).code
        } else {
            return nil
        }
        return AccountsError(
            code, updatedCredential: pendingToken.map { Credential(providerID: providerId ?? "", pendingToken: $0) },
            verifiedProviderIDs: verifiedProvider ?? [], email: email)
    }
}
