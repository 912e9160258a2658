// SPDX-License-Identifier: Apache-2.0

extension AccountsError {
    /// What happened. A later version may have more codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, which never changes.
        public let name: String

        private init(_ name: String) {
            self.name = name
        }

        public var description: String { name }

        // MARK: The credential

        /// The identity that was to be linked belongs to another account. The user may sign in to that one with
        /// ``AccountsError/updatedCredential``.
        public static let credentialAlreadyInUse = Self("credentialAlreadyInUse")
        /// Another account has verified the email of the identity that was to be linked.
        public static let emailAlreadyInUse = Self("emailAlreadyInUse")
        /// No user was signed in, since another account has the email. The user signs in as before, with one
        /// of ``AccountsError/verifiedProviderIDs``, and then links ``AccountsError/updatedCredential``.
        public static let accountExistsWithDifferentCredential = Self("accountExistsWithDifferentCredential")
        /// The account has the identity already, or another one of the provider.
        public static let providerAlreadyLinked = Self("providerAlreadyLinked")
        /// The raw nonce is missing, or is not the one whose hash is in the provider's ID token.
        public static let missingOrInvalidNonce = Self("missingOrInvalidNonce")
        /// The credential is not valid: not by the provider, for another app, too old, or used before.
        public static let invalidCredential = Self("invalidCredential")
        /// The credential belongs to another user than the one who is signed in, or to none; or another user
        /// signed in while the operation was under way. The session is as it was.
        public static let userMismatch = Self("userMismatch")

        /// The user closed the browser, or refused at the provider.
        public static let userCanceled = Self("userCanceled")

        // MARK: The session

        /// No user is signed in, or a user signed out while the operation was under way.
        public static let notSignedIn = Self("notSignedIn")
        /// The session has ended at the server. The user is signed out, unless the error is that of a sign-in, or
        /// the server has refused an ID token that it had just made, which ends nothing:
        /// ``AccountClient/currentUser`` shows it.
        public static let sessionExpired = Self("sessionExpired")
        /// The account does not exist any more. No user is signed in any more, unless the error is that of a sign-in.
        public static let userNotFound = Self("userNotFound")
        /// The account was disabled. No user is signed in any more, unless the error is that of a sign-in.
        public static let userDisabled = Self("userDisabled")
        /// The last sign-in is too long ago for the operation: re-authenticate first.
        public static let requiresRecentLogin = Self("requiresRecentLogin")
        /// The session could not be read from the storage, or not be written to it.
        public static let storageFailed = Self("storageFailed")

        // MARK: The server

        /// The operation is not allowed: the provider is not one of the app, no accounts are made, or the last provider
        /// was to be unlinked. The account can be deleted instead.
        public static let operationNotAllowed = Self("operationNotAllowed")
        /// The server makes no account for this user, for the reason in ``AccountsError/message``, which is for the user.
        public static let newAccountRefused = Self("newAccountRefused")
        /// There were too many attempts. Try again in a minute.
        public static let tooManyAttempts = Self("tooManyAttempts")
        /// A value was refused, such as a name that is too long.
        public static let invalidArgument = Self("invalidArgument")
        /// The server has no app with this API key.
        public static let invalidAPIKey = Self("invalidAPIKey")
        /// There is no connection to the server, or there is a problem with the server or a provider. It is unknown
        /// whether the operation took effect, and every user stays signed in.
        public static let networkUnavailable = Self("networkUnavailable")
        /// The response is not one of the server's: too long, not readable, a redirect, or for another account.
        public static let unexpectedResponse = Self("unexpectedResponse")
    }
}
