// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// A verified credential did not sign in. The response with status 200 hands the credential back, and no token of an
/// account.
struct CredentialConflict: Error, Sendable {
    /// Why the credential did not sign in.
    enum Reason: Sendable {
        /// The email is another account's, and the credential has proved it. The user signs in as before, with one
        /// of these providers, and links.
        case needConfirmation(verifiedProviders: [String])
        /// The identity that was to be linked belongs to another account.
        case identityInUse
        /// Another account has proved the email of the identity that was to be linked.
        case emailInUse
    }

    /// Why the credential did not sign in.
    var reason: Reason
    /// The credential.
    var credential: PendingCredential
    /// What the client presents later instead of the credential.
    var pendingToken: String
    /// The current time, in seconds since 1970.
    var now: Int64

    /// The members of the response. Only one of `needConfirmation` and `errorMessage` is there, since the SDK for
    /// JavaScript looks at their mere presence.
    var members: JSONObject {
        var members = JSONObject()
        switch reason {
        case .needConfirmation(let providers):
            members["needConfirmation"] = .bool(true)
            members["verifiedProvider"] = .array(providers.map { JSONValue.string($0) })
        case .identityInUse:
            members["errorMessage"] = .string(ToolkitError.Code.federatedUserIDAlreadyLinked.rawValue)
        case .emailInUse:
            members["errorMessage"] = .string(ToolkitError.Code.emailExists.rawValue)
        }
        members["providerId"] = .string(credential.identity.providerID)
        members.set("email", credential.identity.email?.text)
        // Of the account that is in the way nothing is told.
        credential.addProfile(to: &members)
        credential.addTokens(to: &members, at: now)
        members["pendingToken"] = .string(pendingToken)
        return members
    }
}
