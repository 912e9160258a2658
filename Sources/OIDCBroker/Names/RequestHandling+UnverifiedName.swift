// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

extension RequestHandling {
    private var names: UnverifiedNames {
        UnverifiedNames(
            store: services.occasional.lastingStore.traced(under: context.span),
            waiting: services.occasional.waitingNames,
            keys: snapshot.sealer.keys)
    }

    /// Returns the name for a sign-in: the one that came with it, which is kept from now on, or the one that was kept
    /// earlier; `nil` if there is neither, or the provider sends none. It never fails.
    /// - Parameters:
    ///   - user: Apple's `user` field as received.
    ///   - claim: What the name came with, if that is not claimed so far; `nil` if this request claimed it.
    func unverifiedName(
        with user: WireText?, issuer: String, subject: String, at provider: ProviderEntry,
        whileWaiting claim: ClaimInDoubt? = nil
    ) -> Eventual<UnverifiedName?> {
        guard provider.behavior.sendsUser else { return .value(nil) }
        guard let name = user.flatMap({ UnverifiedName(appleUser: $0) }) else {
            return names.name(issuer: issuer, subject: subject, on: eventLoop)
        }
        return names.keep(
            name, issuer: issuer, subject: subject,
            owner: .owner(issuer: issuer, subject: subject, provider: provider.share), whileWaiting: claim,
            on: eventLoop
        ).flatMapThrowing { isKept in
            if !isKept { logNotKept(provider) }
            return name
        }
    }

    /// Keeps a name that came with a sign-in whose claim failed, and is not sent again. It never fails.
    /// - Parameters:
    ///   - user: Apple's `user` field as received.
    ///   - claim: What was to be claimed. The name is not kept if another request has claimed it.
    func keepName(
        with user: WireText?, issuer: String, subject: String, at provider: ProviderEntry, of claim: ClaimInDoubt
    ) -> Eventual<Void> {
        guard provider.behavior.sendsUser, let name = user.flatMap({ UnverifiedName(appleUser: $0) }) else {
            return .value(())
        }
        return names.keep(
            name, issuer: issuer, subject: subject,
            owner: .owner(issuer: issuer, subject: subject, provider: provider.share), of: claim, on: eventLoop
        ).flatMapThrowing { isKept in
            if !isKept { logNotKept(provider) }
        }
    }

    /// Keeps a name that came with a sign-in which does not claim its credential or login, since the provider does not
    /// send the name again. If that is claimed already, the name is not kept: a used credential could be sent with any
    /// name. It never fails.
    /// - Parameters:
    ///   - user: Apple's `user` field as received.
    ///   - claim: What is not claimed yet. It is asked about again before a name that waited is written.
    ///   - store: Where it is claimed.
    func keepNameIfUnclaimed(
        with user: WireText?, issuer: String, subject: String, at provider: ProviderEntry, of claim: ClaimInDoubt,
        in store: SingleUseAccess
    ) -> Eventual<Void> {
        guard user != nil, provider.behavior.sendsUser else { return .value(()) }
        return store.isClaimed(claim.key, on: eventLoop).flatMap(on: eventLoop) { isClaimed in
            isClaimed
                ? .value(())
                : unverifiedName(with: user, issuer: issuer, subject: subject, at: provider, whileWaiting: claim)
                    .flatMapThrowing { _ in }
        } failure: { _ in
            keepName(with: user, issuer: issuer, subject: subject, at: provider, of: claim)
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
            "a name could not be kept, and is lost if this sign-in fails",
            metadata: repetition.merging(["auth.provider": "\(provider.id)"]) { own, _ in own })
    }
}
