// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

extension PresentedCredential {
    /// The members of the response to a sign-in, a link or a re-authentication that succeeded. Name, address and photo are
    /// those at the provider, as Google's servers have it.
    ///
    /// Members that are absent are left out, never `null` or `false`: the SDK for JavaScript looks at their mere presence.
    /// There is no pending credential, since each response would hand out the next half hour of a recent sign-in.
    func members(of signedIn: AccountService.SignedIn) -> JSONObject {
        let (account, verified) = (signedIn.person.account, signedIn.person.identity.verified)
        var members: JSONObject = ["kind": "identitytoolkit#VerifyAssertionResponse"]
        members["providerId"] = .string(verified.providerID)
        members["localId"] = .string(account.id.text)
        members["idToken"] = .string(signedIn.idToken)
        members["refreshToken"] = .string(signedIn.refreshToken.text)
        members["expiresIn"] = .string(String(AccountTokens.lifetime))
        members["federatedId"] = .string(verified.key.subject)
        if let email = verified.email {
            members["email"] = .string(email.text)
            members["emailVerified"] = .bool(verified.isEmailProved)
        }
        members.set("displayName", verified.displayName ?? account.displayName)
        members.set("fullName", identity.displayName)
        members.set("firstName", firstName)
        members.set("lastName", lastName)
        members.set("photoUrl", verified.photoURL ?? account.photoURL)
        // A text that holds JSON.
        members["rawUserInfo"] = WireText(utf8: pending.claims.serialized()[...]).map { JSONValue.text($0) }
        if signedIn.person.isNew { members["isNewUser"] = .bool(true) }
        pending.addTokens(to: &members)
        return members
    }
}

extension PendingCredential {
    /// Adds the provider's tokens to a response. Every SDK needs the ID token or the access token to show a credential.
    func addTokens(to members: inout JSONObject) {
        members["oauthIdToken"] = .string(idToken)
        members.set("oauthAccessToken", accessToken)
    }
}
