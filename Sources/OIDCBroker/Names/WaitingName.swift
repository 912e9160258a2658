// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A user's name that the store did not take because it was away, ready to be stored: sealed, with its key.
struct WaitingName: Sendable {
    /// The key of the name in the store.
    let key: SingleUseKey
    /// The sealed name.
    let sealed: [UInt8]
    /// The owner of the entry.
    let owner: SingleUseOwner
    /// What the name came with, if it is not known whether that was used before; `nil` if it was this person's.
    var claim: ClaimInDoubt?
}

/// The claim of a credential or a login that a store did not decide because it was away.
///
/// A name that came with it counts only if no other request used it. Otherwise a used credential would be enough to
/// choose the name of its person while the store is away.
struct ClaimInDoubt: Sendable, Hashable {
    /// The maximum number of attempts; beyond it no more are added. Once one has the claim, later ones cannot get it.
    static let mostAttempts = AttemptsInDoubt.mostOfKey

    /// What was to be claimed.
    let key: SingleUseKey
    /// Until then the store knows whether it was claimed. After that, a claim may have expired.
    let end: NIODeadline
    /// The attempts that may have claimed it, oldest first; empty if none was made.
    private(set) var attempts: [SingleUseAttempt] = []

    /// - Parameters:
    ///   - claiming: The attempt that failed; `nil` if there was none.
    ///   - error: The error that it failed with; `nil` if the store answered. An attempt that was never sent has claimed
    ///     nothing, unless it is that of an earlier request.
    init(key: SingleUseKey, end: NIODeadline, claiming: Claiming? = nil, error: (any Error)? = nil) {
        self.key = key
        self.end = end
        let isRefused = (error as? SharedStoreError)?.isRefusal ?? false
        if let claiming, claiming.isInDoubt || !isRefused { attempts = [claiming.attempt] }
    }

    /// Adds the attempts of another request with the same credential or login.
    mutating func merge(_ other: ClaimInDoubt) {
        let further = other.attempts.filter { !attempts.contains($0) }
        attempts = Array((attempts + further).prefix(Self.mostAttempts))
    }
}
