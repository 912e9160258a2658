// SPDX-License-Identifier: Apache-2.0

/// The limits of accounts. None of them is a setting.
public enum AccountLimits {
    /// The maximum number of identities of an account.
    public static let identities = 20
    /// The maximum number of sessions of an account. One more ends the one that was not used for the longest time.
    public static let sessions = 200
    /// The maximum number of sessions of an account at an OpenID app. One more ends the one that was not used for the
    /// longest time.
    public static let appSessions = 20
    /// The maximum length of the claims that are kept with the session of an OpenID app, in bytes of JSON text.
    package static let grantBytes = 32_768
    /// The maximum length of what is kept with an identity, in bytes of JSON text: 32 KB of claims, and `email_verified`.
    package static let keptClaimsBytes = 32_800
    /// The maximum length of custom claims, in UTF-16 code units of JSON text, as Firebase counts.
    public static let customClaimsCharacters = 1000
    /// The maximum length of a name, in Unicode scalars.
    public static let displayNameScalars = 256
    /// The maximum length of the address of a photo, in bytes.
    public static let photoURLBytes = 2048
    /// The time after which an event is removed, whatever became of it, in days.
    public static let eventDays: Int64 = 14
    /// The time in which it is decided whether an account may be made, in seconds.
    public static let newAccountSeconds: Int64 = 2
    /// The maximum length of the reason for which an account may not be made, in bytes.
    public static let blockingReasonBytes = 200
    /// The maximum length of what an import keeps beside an account, in bytes of JSON text.
    package static let importedBytes = 65_536
    /// The maximum number of accounts in a page of the list.
    package static let page = 1000
    /// The number of identities after which a page ends early, so that no page is of any size.
    package static let pageIdentities = 2000
    /// The maximum number of accounts that are deleted in one transaction, so that no other one waits long.
    package static let deletionsInTransaction = 100
    /// The maximum number of users that are imported in one transaction.
    package static let importsInTransaction = 350
}
