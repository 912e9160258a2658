// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What only some requests need of ``BrokerServices``: behind one reference, so that the others do not carry it around.
final class AppleServices: Sendable {
    /// Who takes providers' notifications; nil: the webhook, if one is configured.
    let notificationHandler: (any NotificationHandler)?
    /// The store of marks that live for a day; see ``SingleUseStores/lasting``.
    let lastingStore: any SingleUseStore
    /// Names that no app has got yet.
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
    /// An app has what a record carried: its name need not be kept any more.
    func acknowledge(_ record: HandOffRecord, now: Int64) {
        guard let user = record.user, let claims = record.claims.object,
            let issuer = claims["upstream_iss"]?.text?.ascii(atMost: AbsoluteURL.maximumLength),
            let subject = claims["upstream_sub"]?.text?.ascii(atMost: SubjectIdentifier.longestUpstreamSubject)
        else { return }
        names.acknowledge(UnverifiedName(user), issuer: issuer, subject: subject, now: now)
    }

    /// The name that an app gets with a sign-in: the one that came along, which is kept from now on, or the one that is
    /// kept from before; `nil` if there is neither.
    /// - Parameter user: Apple's field `user`, as it came.
    func name(with user: WireText?, issuer: String, subject: String, now: Int64) -> UnverifiedName? {
        guard let name = user.flatMap({ UnverifiedName(appleUser: $0) }) else {
            return names.name(issuer: issuer, subject: subject, now: now)
        }
        names.keep(name, issuer: issuer, subject: subject, now: now)
        return name
    }
}
