// SPDX-License-Identifier: Apache-2.0

/// The members of ``BrokerServices`` that few requests need: those about notifications, and those about entries that live
/// for a day. They are behind one reference, so that other requests do not carry them.
final class OccasionalServices: Sendable {
    /// The embedder's handler of providers' notifications; `nil` to use the webhook, if one is configured.
    let notificationHandler: (any NotificationHandler)?
    /// The store of claims that live for a day. See ``SingleUseStores/access(clock:metricsFactory:logger:)``.
    let lastingStore: SingleUseAccess
    /// The notifications that are being delivered in this process.
    let notificationsInFlight = NotificationsInFlight()

    init(notificationHandler: (any NotificationHandler)?, lastingStore: SingleUseAccess) {
        self.notificationHandler = notificationHandler
        self.lastingStore = lastingStore
    }
}
