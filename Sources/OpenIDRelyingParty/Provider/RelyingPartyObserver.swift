// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// An observer of the requests to a provider, and of problems with its keys that an operator should know of, even though
/// sign-ins may succeed.
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

    /// Tells the observer that no sign-in can succeed by what the provider's metadata say. This is called once for each
    /// fetch of the metadata.
    /// - Parameter error: The error that the next sign-in would have.
    func signInsCannotSucceed(_ error: RelyingPartyError)

    /// Tells the observer that a request to the provider has ended, with a response or without one. Requests that were
    /// not sent because of earlier failures are not told.
    /// - Parameters:
    ///   - step: The step of a sign-in to which the request belongs.
    ///   - duration: The time from the request to its whole response.
    func requestEnded(_ step: RelyingPartyError.Step, after duration: TimeAmount)
}

extension RelyingPartyObserver {
    public func expiredKeysServe(_ error: RelyingPartyError) {}
    public func privateKeysPublished(_ keyIDs: [String]) {}
    public func signInsCannotSucceed(_ error: RelyingPartyError) {}
    public func requestEnded(_ step: RelyingPartyError.Step, after duration: TimeAmount) {}
}
