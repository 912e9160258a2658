// SPDX-License-Identifier: Apache-2.0

/// Takes what providers tell of people's accounts, in a server that embeds the broker.
public protocol NotificationHandler: Sendable {
    /// Deals with a notification. It counts as taken when this returns within 5 s; the provider sends it again where
    /// this throws or takes longer, so that the same one may come twice.
    ///
    /// A notification that was taken is not handed on again, as far as the broker's store remembers.
    func handle(_ notification: ProviderNotification) async throws
}
