// SPDX-License-Identifier: Apache-2.0

/// Hears what an operator should know of a provider's keys and what no sign-in's end tells. Called on event loops, now
/// and then and by several at once: it must not block.
public protocol RelyingPartyObserver: Sendable {
    /// The keys have expired and could not be fetched; they serve on, for an hour past their expiry at most. Called once
    /// for each fetch that failed so.
    /// - Parameter error: why they could not be fetched.
    func expiredKeysServe(_ error: RelyingPartyError)

    /// The key set publishes the private members of keys. Such keys verify nothing. Called once for each fetch.
    /// - Parameter keyIDs: the `kid` of each as far as it may be shown: visible ASCII characters, 64 at most; `none` for
    ///   a key without one.
    func privateKeysPublished(_ keyIDs: [String])
}

extension RelyingPartyObserver {
    public func expiredKeysServe(_ error: RelyingPartyError) {}
    public func privateKeysPublished(_ keyIDs: [String]) {}
}
