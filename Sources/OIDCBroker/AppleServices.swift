// SPDX-License-Identifier: Apache-2.0

/// The members of ``BrokerServices`` that only some requests need. They are behind one reference, so that other
/// requests do not carry them.
final class AppleServices: Sendable {
    /// The embedder's handler of providers' notifications; `nil` to use the webhook, if one is configured.
    let notificationHandler: (any NotificationHandler)?
    /// The store of claims that live for a day. See ``SingleUseStores/access(clock:metricsFactory:logger:)``.
    let lastingStore: SingleUseAccess
    let notificationsInFlight = NotificationsInFlight()

    init(
        notificationHandler: (any NotificationHandler)?,
        lastingStore: SingleUseAccess
    ) {
        self.notificationHandler = notificationHandler
        self.lastingStore = lastingStore
    }
}
