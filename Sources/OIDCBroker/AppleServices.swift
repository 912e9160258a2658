// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The members of ``BrokerServices`` that only some requests need. They are behind one reference, so that other
/// requests do not carry them.
final class AppleServices: Sendable {
    /// The embedder's handler of providers' notifications; `nil` to use the webhook, if one is configured.
    let notificationHandler: (any NotificationHandler)?
    /// The store of marks that live for a day. See ``SingleUseStores/lasting``.
    let lastingStore: any SingleUseStore
    /// Names that no app has received yet.
    let names = UnverifiedNames()
    let notificationsInFlight = NotificationsInFlight()

    init(
        notificationHandler: (any NotificationHandler)?,
        lastingStore: any SingleUseStore
    ) {
        self.notificationHandler = notificationHandler
        self.lastingStore = lastingStore
    }
}

extension AppleServices {
    /// Records that an app received the contents of a record, whose name no longer has to be kept.
    func acknowledge(_ record: HandOffRecord, now: Int64) {
        guard let user = record.user, let claims = record.claims.object,
            let issuer = claims["upstream_iss"]?.text?.ascii(atMost: AbsoluteURL.maximumLength),
            let subject = claims["upstream_sub"]?.text?.ascii(atMost: SubjectIdentifier.longestUpstreamSubject)
        else { return }
        names.acknowledge(UnverifiedName(user), issuer: issuer, subject: subject, now: now)
    }

    /// Returns the name for a sign-in: the one that came with it, which is kept from now on, or the one that was kept
    /// earlier; `nil` if there is neither.
    /// - Parameter user: Apple's `user` field as received.
    func name(with user: WireText?, issuer: String, subject: String, now: Int64) -> UnverifiedName? {
        guard let name = user.flatMap({ UnverifiedName(appleUser: $0) }) else {
            return names.name(issuer: issuer, subject: subject, now: now)
        }
        names.keep(name, issuer: issuer, subject: subject, now: now)
        return name
    }
}
