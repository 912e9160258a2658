// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import NIOCore
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

extension RequestHandling {
    private var names: UnverifiedNames {
        UnverifiedNames(
            store: services.lastingStore.traced(under: context.span), keys: snapshot.sealer.keys)
    }

    /// Returns the name for a sign-in: the one that came with it, which is kept from now on, or the one that was kept
    /// earlier; `nil` if there is neither, or the provider sends none. It never fails.
    /// - Parameter user: Apple's `user` field as received.
    func unverifiedName(
        with user: WireText?, issuer: String, subject: String, at provider: ProviderEntry
    ) -> Eventual<UnverifiedName?> {
        guard provider.behavior.sendsUser else { return .value(nil) }
        guard let name = user.flatMap({ UnverifiedName(appleUser: $0) }) else {
            return names.name(issuer: issuer, subject: subject, on: eventLoop)
        }
        return names.keep(
            name, issuer: issuer, subject: subject,
            owner: .owner(issuer: issuer, subject: subject, provider: provider.share), on: eventLoop
        ).flatMapThrowing { isKept in
            if !isKept { logNotKept(provider) }
            return name
        }
    }

    /// Records that an app received a user's name. The request need not wait for it.
    func acknowledge(_ name: UnverifiedName, issuer: String, subject: String) {
        _ = names.acknowledge(name, issuer: issuer, subject: subject, on: eventLoop)
    }

    /// Records that an app received the contents of a record, whose name no longer has to be kept.
    func acknowledge(_ record: HandOffRecord) {
        guard let user = record.user, let claims = record.claims.object,
            let issuer = claims["upstream_iss"]?.text?.ascii(atMost: AbsoluteURL.maximumLength),
            let subject = claims["upstream_sub"]?.text?.ascii(atMost: SubjectIdentifier.longestUpstreamSubject)
        else { return }
        acknowledge(UnverifiedName(user), issuer: issuer, subject: subject)
    }

    private func logNotKept(_ provider: ProviderEntry) {
        guard let repetition = services.repetition(of: .nameNotKept, provider: provider.number) else { return }
        logger.warning(
            "cannot save the name of the user: it is lost if this sign-in fails",
            metadata: repetition.merging(["auth.provider": "\(provider.id)"]) { own, _ in own })
    }
}
