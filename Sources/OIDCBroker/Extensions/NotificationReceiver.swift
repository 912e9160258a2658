// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Takes part in the notifications of providers.
package protocol NotificationReceiver: Sendable {
    /// The client IDs of native apps at a provider that are not in the broker's configuration. A notification of the
    /// provider may be addressed to any of them.
    /// - Parameters:
    ///   - providerID: The ID of the provider that clients know.
    ///   - name: Its name in the configuration.
    func nativeAudiences(at providerID: String, named name: String) -> [String]

    /// Takes part in a verified notification of a provider before it is handed on. The same one may come again.
    /// - Returns: A future of the event loop with whether the notification concerned the receiver. Where it fails, the
    ///   notification is not handed on, and the provider sends it again.
    func receive(_ notification: ProviderNotification, on eventLoop: any EventLoop) -> EventLoopFuture<Bool>
}
