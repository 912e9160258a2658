// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import OIDCBrokerState
import OpenIDRelyingParty
package import SingleUse

// The store of logins and hand-offs, in which an extension keeps what may be used once. A user or an app waits for the
// end of a sign-in with each of these operations, so each has as much time as those of the broker's own sign-ins.
extension BrokerAccess {
    /// Stores a value for some seconds. See ``SingleUseStore/put(_:value:owner:lifetime:on:)``.
    /// - Returns: A future of the request's event loop. It fails if it is not known whether the value is stored.
    package func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, seconds: Int64
    ) -> EventLoopFuture<SingleUsePut> {
        patientStore.put(key, value: value, owner: owner, seconds: seconds, on: eventLoop).future(on: eventLoop)
    }

    /// Stores an optional value for some seconds while there is room for such values. A sign-in works without it.
    /// - Returns: A future of the request's event loop, which does not fail and does not say whether it is kept.
    package func keep(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, seconds: Int64
    ) -> EventLoopFuture<Void> {
        context.services.store.within(SingleUseAccess.briefPatience)
            .putSpare(key, value: value, owner: owner, seconds: seconds, on: eventLoop)
            .future(on: eventLoop).map { _ in }.recover { _ in }
    }

    /// Returns the value that a take would get now, without using it up; `nil` if there is none. It decides nothing that
    /// must happen only once.
    /// - Returns: A future of the request's event loop. It fails if it is not known whether there is a value.
    package func read(_ key: SingleUseKey) -> EventLoopFuture<[UInt8]?> {
        patientStore.read(key, on: eventLoop).future(on: eventLoop)
    }

    /// Takes a value that was stored for minutes. No other request gets it. See
    /// ``SingleUseStore/take(_:attempt:claimLifetime:on:)``.
    /// - Parameters:
    ///   - key: The key.
    ///   - claimSeconds: How long it is known that the value was taken: as long as the value would have lived.
    /// - Returns: A future of the request's event loop. It fails if it is not known who took the value.
    package func take(_ key: SingleUseKey, claimSeconds: Int64) -> EventLoopFuture<SingleUseTake> {
        patientStore.take(key, claimSeconds: claimSeconds, from: .waitingRecords, on: eventLoop).future(on: eventLoop)
    }

    private var patientStore: SingleUseAccess { context.services.store.within(SingleUseAccess.longPatience) }
}

extension BrokerAccess.Provider {
    /// Returns the owner of an entry that a sign-in at the provider leaves in the store.
    /// - Parameters:
    ///   - subject: The subject of the user at the provider.
    ///   - app: The API key of the app, or another text that no client ID of the configuration is.
    package func owner(subject: String, app: String) -> SingleUseOwner {
        .owner(
            issuer: issuer, subject: subject, app: .app(clientID: app), provider: entry.share)
    }
}
