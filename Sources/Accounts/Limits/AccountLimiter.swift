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
    /// Whether a sign-in makes an account is known after its transaction only. So its caller asks before it whether a
    /// new account may be made, and takes ``LimitedAccountOperation/newAccount`` after one was.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - now: The current time, as for ``take(_:now:)``.
    func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision
}

/// An operation whose rate is limited, and what it is limited for.
public enum LimitedAccountOperation: Sendable, Hashable {
    /// A sign-in of an identity, successful or not.
    case signIn(IdentityKey)
    /// A change of an account or of its identities.
    case write(AccountID)
    /// A refresh of a session.
    case refresh(AccountSession.ID)
    /// A new account. All of them count together.
    case newAccount
}

/// Whether an operation may proceed.
public enum AccountRateDecision: Sendable, Hashable {
    /// It may proceed.
    case proceed
    /// It is one too many; the next one may proceed after so many seconds, at least one.
    case wait(seconds: Int64)
}
