// SPDX-License-Identifier: Apache-2.0

import Accounts
import OpenIDConnect
import OpenIDRelyingParty

extension PendingCredential {
    /// Creates the credential of a sign-in that was verified at the end of a login in a browser. The tokens came from
    /// the provider itself, so the access token needs no hash in the ID token.
    /// - Parameters:
    ///   - signIn: What was verified.
    ///   - providerID: The ID of the provider that clients know.
    ///   - isApple: Whether the provider is Apple.
    ///   - name: The name that came beside the ID token, or with an earlier one; `nil` for the one in the token.
    ///   - now: The current time, in seconds since 1970.
    init(_ signIn: VerifiedSignIn, providerID: String, isApple: Bool, name: String?, now: Int64) {
        let lifetime = signIn.expiresIn.map { min(max($0.components.seconds, 0), Self.longestAccess) }
        self.init(
            VerifiedIdentity(signIn, providerID: providerID, isApple: isApple, name: name),
            claims: signIn.claims.object, idToken: signIn.idToken.exposed, accessToken: signIn.accessToken?.exposed,
            accessTokenExpiry: signIn.accessToken == nil ? nil : lifetime.map { now + $0 }, verifiedAt: now,
            authTime: signIn.issuedAt)
    }

    /// The credential of a sign-in that succeeded, as the page may present it once more: for the same account.
    func reused(for account: AccountID) -> PendingCredential {
        PendingCredential(
            identity, claims: claims, idToken: idToken, accessToken: accessToken, accessTokenExpiry: accessTokenExpiry,
            verifiedAt: verifiedAt, authTime: authTime, account: account)
    }

    /// The maximum lifetime of an access token that is noted, in seconds: ten years. A provider may say any number.
    private static let longestAccess: Int64 = 315_360_000
}
