// SPDX-License-Identifier: Apache-2.0

import Accounts

extension ToolkitError {
    /// Creates the error for an operation on accounts that was refused.
    ///
    /// A confirmation that is needed, and an identity or an email that is in use, have responses of their own with
    /// status 200. The errors here are for clients that did not ask for those.
    init(_ refusal: AccountRefusal.Code, in operation: ToolkitOperation) {
        switch refusal.value {
        case .unknown where operation == .signInWithIdp:
            // It becomes a user mismatch in the SDKs and leaves the user signed in.
            self.init(.emailNotFound)
        case .unknown:
            self.init(.userNotFound)
        case .noNewAccounts:
            self.init(.adminOnlyOperation)
        case .needConfirmation, .emailBelongsToAnother:
            self.init(.emailExists)
        case .disabled:
            self.init(.userDisabled)
        case .used:
            self.init(.invalidIdpResponse, "The credential was used before. Sign in at the provider again.")
        case .sessionEnded:
            self.init(.tokenExpired)
        case .signInTooOld:
            self.init(.credentialTooOld)
        case .belongsToAnother:
            self.init(.federatedUserIDAlreadyLinked)
        case .alreadyLinked:
            self.init(.providerAlreadyLinked)
        case .tooManyIdentities:
            self.init(
                .operationNotAllowed,
                "The account has \(AccountLimits.identities) providers, the most that it may have. Unlink one first.")
        case .lastIdentity:
            self.init(
                .operationNotAllowed,
                "It is the only provider of the account. Link another one first, or delete the account instead.")
        case .invalidValue:
            self.init(
                .invalidArgument,
                "displayName has at most \(AccountLimits.displayNameScalars) characters and no control characters, "
                    + "and photoUrl is an https URL of at most \(AccountLimits.photoURLBytes) bytes.")
        case .verificationOutdated:
            self.init(
                .invalidIdpResponse,
                "The sessions of the account were ended after the provider verified the user. "
                    + "Sign in at the provider and verify again.")
        case .blocked:
            self.init(.blockingFunctionErrorResponse)
        }
    }
}
