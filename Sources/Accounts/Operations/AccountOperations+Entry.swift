// SPDX-License-Identifier: Apache-2.0

extension AccountOperations {
    /// A sign-in with a verified identity that begins no session: for a server that keeps sessions of its own and wants
    /// to know whose account it is.
    public struct Entry: Sendable, Hashable {
        /// What was verified.
        public var identity: VerifiedIdentity
        /// The time at which it was verified, in seconds since 1970. A later time than that of the operation counts as
        /// that.
        public var authTime: Int64
        /// Whether an account may be made.
        public var mayCreate: Bool
        /// The identifier of the account if one is made.
        public var newAccount: AccountID
        /// The account that the person must enter; `nil` for any.
        var expected: AccountID?
        /// What the entry uses up.
        var uses: [TokenUse] = []
        /// The access token of the provider that is handed out; `nil` if there is none.
        var accessToken: AccountIdentity.HandedOutToken?

        /// Creates a request. What was verified is not used up: the caller sees to it that it is not presented twice.
        public init(
            _ identity: VerifiedIdentity, authTime: Int64, mayCreate: Bool = true, newAccount: AccountID = AccountID()
        ) {
            self.identity = identity
            self.authTime = authTime
            self.mayCreate = mayCreate
            self.newAccount = newAccount
        }

        /// The part of a sign-in before its session.
        init(_ signIn: SignIn) {
            self.init(
                signIn.identity, authTime: signIn.authTime, mayCreate: signIn.mayCreate, newAccount: signIn.newAccount)
            expected = signIn.expected
            uses = signIn.uses
            accessToken = signIn.accessToken
        }
    }
}

/// An account that a person entered without a session.
public struct EnteredAccount: Sendable, Hashable {
    /// The account.
    public let account: Account
    /// The identity with which the person entered it.
    public let identity: AccountIdentity
    /// Whether the account was made by this.
    public let isNew: Bool
}
