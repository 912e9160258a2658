// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerState
import OpenIDRelyingParty
import SingleUse

/// Names that a provider sends only once, kept until an app has received them, so that a sign-in whose last step fails
/// does not lose them.
///
/// They are in the store of the broker for a day. The key of an entry, and the secret that seals it, are derived from a
/// sealing key, the issuer and the subject, so that every replica finds them. The newest sealing key stores a name; all
/// of them find it.
struct UnverifiedNames: Sendable {
    /// The time for which a name is kept, in seconds.
    static let lifetime: Int64 = 86_400

    private let store: SingleUseAccess
    /// The keys of the configuration, newest first.
    private let keys: [LoginKeys]

    /// A name that is kept, and where.
    private struct Kept: Sendable {
        let name: UnverifiedName
        let key: SingleUseKey
        let sealed: [UInt8]
    }

    init(store: SingleUseAccess, keys: [LoginKeys]) {
        self.store = store
        self.keys = keys
    }

    /// Keeps a user's name in place of an earlier one. The client that sent it gets no answer before, so that it is
    /// stored when the client tries again after a failover.
    /// - Parameter owner: The owner of the entry.
    /// - Returns: Whether it is kept. If not, it goes to the app of this sign-in alone.
    func keep(
        _ name: UnverifiedName, issuer: String, subject: String, owner: SingleUseOwner, on eventLoop: any EventLoop
    ) -> Eventual<Bool> {
        guard let place = keys.first?.placeOfName(issuer: issuer, subject: subject),
            let sealed = SealedValue.seal(name.encoded, with: place.secret, at: place.key)
        else { return .value(false) }
        return store.within(SingleUseAccess.longPatience).put(
            place.key, value: sealed, owner: owner, seconds: Self.lifetime, on: eventLoop
        ).flatMapThrowing { $0 == .stored }.recover { _ in false }
    }

    /// Returns a user's name; `nil` if none is kept, or the store fails.
    func name(issuer: String, subject: String, on eventLoop: any EventLoop) -> Eventual<UnverifiedName?> {
        find(keys[...], issuer, subject, on: eventLoop).flatMapThrowing { $0?.name }.recover { _ in nil }
    }

    /// Records that an app received a user's name, which no longer has to be kept unless it was replaced in the
    /// meantime. If the store fails, the next app gets it again.
    func acknowledge(
        _ name: UnverifiedName, issuer: String, subject: String, on eventLoop: any EventLoop
    ) -> Eventual<Void> {
        find(keys[...], issuer, subject, on: eventLoop).flatMap { kept -> Eventual<Void> in
            guard let kept, kept.name == name else { return .value(()) }
            return store.remove(kept.key, ifEqual: kept.sealed, on: eventLoop).flatMapThrowing { () -> Void in
                guard let budget = store.budget else { return }
                budget.removed(.records, bytes: kept.sealed.count)
            }
        }.recover { _ in }
    }

    private func find(
        _ keys: ArraySlice<LoginKeys>, _ issuer: String, _ subject: String, on eventLoop: any EventLoop
    ) -> Eventual<Kept?> {
        guard let place = keys.first?.placeOfName(issuer: issuer, subject: subject) else { return .value(nil) }
        return store.read(place.key, on: eventLoop).flatMap { sealed in
            guard let sealed,
                let name = SealedValue.open(sealed, with: place.secret, at: place.key)
                    .flatMap({ UnverifiedName(encoded: $0) })
            else { return find(keys.dropFirst(), issuer, subject, on: eventLoop) }
            return .value(Kept(name: name, key: place.key, sealed: sealed))
        }
    }
}

extension LoginKeys {
    /// Returns the place of a user's name in the store, and the secret that seals it.
    func placeOfName(issuer: String, subject: String) -> (key: SingleUseKey, secret: SealingSecret) {
        var person = ByteWriter()
        person.write(counted: issuer.utf8)
        person.write(counted: subject.utf8)
        let derived = nameKey.code(for: person.bytes)
        return (
            SingleUseKey(.unverifiedName, derived), SealingSecret(bytes: Hash.sha256(Self.nameSealPrefix + derived))
        )
    }

    private static let nameSealPrefix = Array("oidc-broker unverified name seal v1".utf8)
}
