// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

extension PresentedCredential {
    /// The members of the response to a sign-in, a link or a re-authentication that succeeded. Name, email and photo are
    /// those at the provider, as Google's servers have it.
    ///
    /// Members that are absent are left out, never `null` or `false`: the SDK for JavaScript looks at their mere presence.
    /// There is no pending credential, since each response would hand out the next half hour of a recent sign-in.
    /// - Parameters:
    ///   - signedIn: The account and its tokens.
    ///   - now: The current time, in seconds since 1970.
    func members(of signedIn: AccountService.SignedIn, at now: Int64) -> JSONObject {
        let (account, verified) = (signedIn.person.account, signedIn.person.identity.verified)
        var members: JSONObject = ["kind": "identitytoolkit#VerifyAssertionResponse"]
        members["providerId"] = .string(verified.providerID)
        members["localId"] = .string(account.id.text)
        members["idToken"] = .string(signedIn.idToken)
        members["refreshToken"] = .string(signedIn.refreshToken.text)
        members["expiresIn"] = .string(String(AccountTokens.lifetime))
        if let email = verified.email {
            members["email"] = .string(email.text)
            members["emailVerified"] = .bool(verified.isEmailProved)
        }
        pending.addProfile(to: &members)
        members.set("displayName", verified.displayName ?? account.displayName)
        members.set("fullName", identity.displayName)
        members.set("firstName", firstName)
        members.set("lastName", lastName)
        members.set("photoUrl", verified.photoURL ?? account.photoURL)
        if signedIn.person.isNew { members["isNewUser"] = .bool(true) }
        pending.addTokens(to: &members, at: now)
        return members
    }
}

extension PendingCredential {
    /// Adds what the provider says of the user to a response.
    func addProfile(to members: inout JSONObject) {
        members["federatedId"] = .string(identity.key.subject)
        members.set("displayName", identity.displayName)
        members["firstName"] = claims["given_name"]?.text.map { JSONValue.text($0) }
        members["lastName"] = claims["family_name"]?.text.map { JSONValue.text($0) }
        members.set("photoUrl", identity.photoURL)
        // A text that holds JSON.
        members["rawUserInfo"] = WireText(utf8: claims.serialized()[...]).map { JSONValue.text($0) }
    }

    /// Adds the provider's tokens to a response. Every SDK needs the ID token or the access token to show a credential.
    /// - Parameters:
    ///   - members: The members of the response.
    ///   - now: The current time, in seconds since 1970.
    func addTokens(to members: inout JSONObject, at now: Int64) {
        members["oauthIdToken"] = .string(idToken)
        members.set("oauthAccessToken", accessToken)
        guard accessToken != nil, let accessTokenExpiry else { return }
        // A text, since the SDK for Apple's systems reads no number here.
        members["oauthExpireIn"] = .string(String(max(0, accessTokenExpiry - now)))
    }
}
