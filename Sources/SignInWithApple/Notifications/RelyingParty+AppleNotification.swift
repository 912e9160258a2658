// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
public import OpenIDRelyingParty

extension RelyingParty {
    /// The longest body of a notification, bytes: 1 MB. The token in it may have 64 KB.
    package static let maximumAppleNotificationBytes = 1_048_576

    /// Reads and verifies a server-to-server notification.
    ///
    /// Answer Apple 200 only after the notification was dealt with, 400 for ``AppleNotificationError``, and 503 for
    /// anything else: Apple sends it again then.
    /// - Parameters:
    ///   - body: the request's body, `{"payload": "…"}`.
    ///   - nativeAudiences: the bundle ids of this team's apps; the provider's own client id counts as well.
    /// - Returns: a future of the given event loop; it fails with ``AppleNotificationError`` or ``RelyingPartyError``.
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
            payload, audiences: [configuration.clientID] + nativeAudiences, on: eventLoop
        ).flatMapThrowing { event in
            try AppleNotification(event)
        }.flatMapErrorThrowing { error in
            guard let refusal = error as? SecurityEventError else { throw error }
            throw AppleNotificationError.refused("\(refusal)")
        }
    }

    /// The async overload of ``appleNotification(body:nativeAudiences:on:)``, on any loop of the given group.
    public func appleNotification(
        body: [UInt8],
        nativeAudiences: [String] = [],
        using group: any EventLoopGroup
    ) async throws -> AppleNotification {
        try await appleNotification(body: body, nativeAudiences: nativeAudiences, on: group.any()).get()
    }
}
