// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// The response to a sign-in, a link or a re-authentication that succeeded.
///
/// Members that are absent are left out, never `null` or `false`: the SDK for JavaScript looks at their mere presence.
/// There is no pending credential, since each response would hand out the next half hour of a recent sign-in.
struct SignInWithIdpResponse: Sendable {
    /// What the provider says about the person.
    struct Person: Sendable {
        /// The whole name; `nil` if there is none.
        var fullName: String?
        /// The first name; `nil` if there is none.
        var firstName: String?
        /// The last name; `nil` if there is none.
        var lastName: String?
        /// The verified claims and those of UserInfo.
        var claims = JSONObject()
    }

    /// The provider's tokens for the client. Every SDK needs the ID token or the access token to show a credential.
    struct ProviderTokens: Sendable {
        /// The ID token.
        var idToken: String
        /// The access token; `nil` if it is not handed out.
        var accessToken: String?
        /// The lifetime of the access token, in seconds; `nil` if it is not known.
        var expiresIn: Int64?

        /// Adds the tokens to a response.
        func add(to members: inout JSONObject) {
            members["oauthIdToken"] = .string(idToken)
            guard let accessToken else { return }
            members["oauthAccessToken"] = .string(accessToken)
            // A number, unlike the other times: Google's servers send one.
            if let expiresIn { members["oauthExpireIn"] = .number(JSONNumber(expiresIn)) }
        }
    }

    /// The account.
    var account: Account
    /// The identity with which the person signed in, or which was linked.
    var identity: AccountIdentity
    /// Whether the account was made by this sign-in.
    var isNew: Bool
    /// The ID token of the account.
    var idToken: String
    /// The refresh token of the session.
    var refreshToken: RefreshToken
    /// What the provider says about the person.
    var person: Person
    /// The provider's tokens.
    var providerTokens: ProviderTokens

    /// The members of the response. Name, address and photo are those at the provider, as Google's servers have it.
    var members: JSONObject {
        let verified = identity.verified
        var members: JSONObject = ["kind": "identitytoolkit#VerifyAssertionResponse"]
        members["providerId"] = .string(verified.providerID)
        members["localId"] = .string(account.id.text)
        members["idToken"] = .string(idToken)
        members["refreshToken"] = .string(refreshToken.text)
        members["expiresIn"] = .string(String(AccountTokens.lifetime))
        members["federatedId"] = .string(identity.key.subject)
        if let email = verified.email {
            members["email"] = .string(email.text)
            members["emailVerified"] = .bool(verified.isEmailProved)
        }
        members.set("displayName", verified.displayName ?? account.displayName)
        members.set("fullName", person.fullName)
        members.set("firstName", person.firstName)
        members.set("lastName", person.lastName)
        members.set("photoUrl", verified.photoURL ?? account.photoURL)
        // A text that holds JSON.
        members["rawUserInfo"] = WireText(utf8: person.claims.serialized()[...]).map { JSONValue.text($0) }
        if isNew { members["isNewUser"] = .bool(true) }
        providerTokens.add(to: &members)
        return members
    }
}
