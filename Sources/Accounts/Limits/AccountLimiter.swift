// SPDX-License-Identifier: Apache-2.0

/// The limit on how often something happens to an account, so that one client cannot keep the store busy.
///
/// It is asked on an event loop, before a transaction begins, and must answer at once. ``TokenBucketLimiter`` counts in
/// the memory of one process. A server of several processes may have a limiter that they share, and one that knows its
/// clients better may have other limits.
public protocol AccountLimiter: Sendable {
    /// Decides about an operation, and counts it if it may proceed.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - now: The current time, in seconds of elapsed time since any moment that does not change.
    @discardableResult
    func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision

    /// Decides about an operation without counting it.
    ///
    /// Whether a sign-in makes an account, and whether a session may still write, is known after the transaction only.
    /// So the caller asks before it, and takes ``LimitedAccountOperation/newAccount``,
    /// ``LimitedAccountOperation/newAccountFrom(network:)``, ``LimitedAccountOperation/write(_:isRecent:)`` or
    /// ``LimitedAccountOperation/lookups(of:)`` after it.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - now: The current time, as for ``take(_:now:)``.
    func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision
}

/// An operation whose rate is limited, and what it is limited for.
public enum LimitedAccountOperation: Sendable, Hashable {
    /// A sign-in of an identity at an app, successful or not. A web page can make a browser sign in at one app again and
    /// again, which must not keep the user from every other app.
    ///
    /// The bytes identify the network of a client that presents a credential of its own, and always in the same way: who
    /// has such a credential of a user must not be able to keep the user out from elsewhere. They are `nil` where a browser
    /// signs in, and where the address of the client is not known.
    case signIn(IdentityKey, app: String, network: [UInt8]? = nil)
    /// An attempt to change an account or its identities, successful or not, with an ID token of a session. The session
    /// may have ended: its tokens are valid for an hour, and a holder of one must not be able to keep the owner from
    /// writing.
    case attempt(AuthenticatedSession)
    /// A change of an account or of its identities that a live session asked for, made or refused.
    ///
    /// Those with a recent sign-in are counted apart: an ID token of an older session must not be enough to keep an
    /// owner from writing who has just signed in again. A deletion counts as an ``attempt(_:)`` only.
    case write(AccountID, isRecent: Bool)
    /// A refresh of a session, successful or not, with the SHA-256 hash of the secret in the refresh token. The
    /// identifier of a session is in all its ID tokens. Only with the secret can its refreshes be used up.
    case refresh(AccountSession.ID, secretHash: [UInt8])
    /// A lookup with an ID token of a session, which may have ended, successful or not.
    case lookup(AuthenticatedSession)
    /// A lookup of an account that a live session asked for. Those of all its sessions count together.
    case lookups(of: AccountID)
    /// A question whether an account may still be used, for a token of an app that was issued at a time, in seconds since
    /// 1970. Who has one token must not be able to keep the owner's other apps from asking.
    case use(of: AccountID, issuedAt: Int64)
    /// A refresh of the session of an OpenID app, successful or not, with the SHA-256 hash of the secret in the refresh
    /// token. One token may come any number of times. The hash is empty for all tokens of the session together, which count
    /// once they are proved.
    case appRefresh(AccountSession.ID, secretHash: [UInt8])
    /// A new account. All of them count together.
    case newAccount
    /// A new account of a client in a network, beside ``newAccount``, so that no network uses up more than a tenth of
    /// what all may make. The bytes identify an IPv4 address, or an IPv6 /64, /56 or /48, and always in the same way. It
    /// is asked about each of them, and not about a client whose address is not known.
    case newAccountFrom(network: [UInt8])
}

/// Whether an operation may proceed.
public enum AccountRateDecision: Sendable, Hashable {
    /// It may proceed.
    case proceed
    /// It is one too many; the next one may proceed after so many seconds, at least one.
    case wait(seconds: Int64)
}
