// SPDX-License-Identifier: Apache-2.0

/// An observer of problems with a provider's keys that an operator should know of, even though sign-ins may succeed.
///
/// It is called on event loops, possibly concurrently, and must not block.
public protocol RelyingPartyObserver: Sendable {
    /// Tells the observer that the keys have expired and could not be fetched. They stay in use for up to an hour past
    /// their expiry. This is called once for each fetch that failed.
    /// - Parameter error: The reason why they could not be fetched.
    func expiredKeysServe(_ error: RelyingPartyError)

    /// Tells the observer that the key set contains private members of keys. Such keys verify nothing. This is called
    /// once for each fetch.
    /// - Parameter keyIDs: The `kid` of each such key as far as it may be shown, which is up to 64 visible ASCII
    ///   characters; `none` for a key without one.
    func privateKeysPublished(_ keyIDs: [String])
}

extension RelyingPartyObserver {
    public func expiredKeysServe(_ error: RelyingPartyError) {}
    public func privateKeysPublished(_ keyIDs: [String]) {}
}
