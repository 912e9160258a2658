// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
public import OpenIDRelyingParty

extension RelyingParty {
    /// The maximum size of the body of a notification, in bytes. The token in it may have up to 64 KB.
    package static let maximumAppleNotificationBytes = 1_048_576

    /// Parses and verifies a server-to-server notification.
    ///
    /// Respond to Apple with 200 only after the notification was handled, with 400 for an ``AppleNotificationError``,
    /// and with 503 for any other error, so that Apple sends it again.
    /// - Parameters:
    ///   - body: The body of the request, `{"payload": "…"}`.
    ///   - nativeAudiences: The bundle IDs of this team's apps. The provider's own client ID is accepted as well.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future on the given event loop that fails with ``AppleNotificationError`` or `RelyingPartyError`.
    public func appleNotification(
        body: [UInt8],
        nativeAudiences: [String] = [],
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<AppleNotification> {
        guard
            let object = try? JSONParser.object(
                body, limits: JSONLimits(maximumBytes: Self.maximumAppleNotificationBytes)),
            let payload = object["payload"]?.text?.ascii(atMost: Self.maximumAppleNotificationBytes)
        else { return eventLoop.makeFailedFuture(AppleNotificationError.body) }
        return verifySecurityEvent(
            payload, audiences: [configuration.clientID] + nativeAudiences, in: RequestScope(on: eventLoop)
        ).flatMapThrowing { event in
            try AppleNotification(event)
        }.flatMapErrorThrowing { error in
            guard let refusal = error as? SecurityEventError else { throw error }
            throw AppleNotificationError.refused("\(refusal)")
        }.future(on: eventLoop)
    }

    /// The async overload of ``appleNotification(body:nativeAudiences:on:)``, which runs on any event loop of the given
    /// group.
    public func appleNotification(
        body: [UInt8],
        nativeAudiences: [String] = [],
        using group: any EventLoopGroup
    ) async throws -> AppleNotification {
        try await group.submit { self.appleNotification(body: body, nativeAudiences: nativeAudiences, on: $0) }
    }
}
