// SPDX-License-Identifier: Apache-2.0

/// A handler of providers' notifications about accounts, in a server that embeds the broker.
public protocol NotificationHandler: Sendable {
    /// Handles a notification, which is delivered if this returns within 5 s. If it throws or takes longer, the
    /// provider sends the notification again, so the same one may arrive twice.
    ///
    /// A delivered notification is not delivered again, as far as the broker's store remembers.
    func handle(_ notification: ProviderNotification) async throws
}
