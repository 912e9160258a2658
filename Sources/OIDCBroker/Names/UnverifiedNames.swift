// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDRelyingParty

/// Names that a provider sends only once, kept until an app has received them, so that a sign-in whose last step fails
/// does not lose them.
///
/// They are in the store of the broker for a day. The key of an entry, and the secret that seals it, are derived from a
/// sealing key, the issuer and the subject, so that every replica finds them. The newest sealing key stores a name; all
/// of them find it. While the store is away, names wait in this process, see ``WaitingNames``.
struct UnverifiedNames: Sendable {
    /// The time for which a name is kept, in seconds.
    static let lifetime: Int64 = 86_400

    private let store: SingleUseAccess
    /// The names that wait for the store; `nil` if it is in memory.
    private let waiting: WaitingNames?
    /// The keys of the configuration, newest first.
    private let keys: [LoginKeys]

    /// A name that is kept, and where.
    private struct Kept: Sendable {
        let name: UnverifiedName
        let key: SingleUseKey
        let sealed: [UInt8]
    }

    init(store: SingleUseAccess, waiting: WaitingNames? = nil, keys: [LoginKeys]) {
        self.store = store
        self.waiting = waiting
        self.keys = keys
    }

    /// Keeps a user's name in place of an earlier one. If a store outside of this process fails or is full, or its standbys
    /// do not confirm, the name waits for it.
    /// - Parameters:
    ///   - owner: The owner of the entry.
    ///   - claim: What the name came with, if that is not claimed so far; `nil` if this person's request claimed it. It
    ///     is asked about again before a name that waited is written, since another request may have claimed it
    ///     meanwhile.
    /// - Returns: Whether it is kept or waits. If not, it goes to the app of this sign-in alone.
    func keep(
        _ name: UnverifiedName, issuer: String, subject: String, owner: SingleUseOwner,
        whileWaiting claim: ClaimInDoubt? = nil, on eventLoop: any EventLoop
    ) -> Eventual<Bool> {
        guard let entry = entry(name, issuer, subject, owner) else { return .value(false) }
        guard let waiting else {
            return put(entry, on: eventLoop).flatMapThrowing { $0 == .stored }.recover { _ in false }
        }
        // Another name may come while this one is put.
        let later = waiting.nextNumber
        var inDoubt = entry
        inDoubt.claim = claim
        let late = inDoubt
        return put(entry, on: eventLoop).flatMapThrowing { put in
            switch put {
            case .stored:
                waiting.stored(entry, before: later, now: eventLoop.now)
                return true
            case .storedUnconfirmed:
                // A failover may lose it, so it is put again until standbys have it.
                waiting.add(entry, before: later, isWritten: true, on: eventLoop)
                return true
            case .full:
                waiting.add(late, before: later, on: eventLoop)
                return true
            default:
                return false
            }
        }.recover { _ in
            waiting.add(late, before: later, on: eventLoop)
            return true
        }
    }

    /// Keeps a user's name, of which it is not known whether what it came with was used before. It waits in any case. A
    /// store in memory takes it at once.
    /// - Parameters:
    ///   - owner: The owner of the entry.
    ///   - claim: What the name came with.
    /// - Returns: Whether it is kept or waits.
    func keep(
        _ name: UnverifiedName, issuer: String, subject: String, owner: SingleUseOwner, of claim: ClaimInDoubt,
        on eventLoop: any EventLoop
    ) -> Eventual<Bool> {
        guard let waiting else { return keep(name, issuer: issuer, subject: subject, owner: owner, on: eventLoop) }
        guard var entry = entry(name, issuer, subject, owner) else { return .value(false) }
        entry.claim = claim
        waiting.add(entry, on: eventLoop)
        return .value(true)
    }

    /// The client that sent the name gets no answer before, so that the name is stored when it tries again after a
    /// failover.
    private func put(_ entry: WaitingName, on eventLoop: any EventLoop) -> Eventual<SingleUsePut> {
        store.within(SingleUseAccess.longPatience).put(
            entry.key, value: entry.sealed, owner: entry.owner, seconds: Self.lifetime, tellsUnconfirmed: true,
            on: eventLoop)
    }

    private func entry(
        _ name: UnverifiedName, _ issuer: String, _ subject: String, _ owner: SingleUseOwner
    ) -> WaitingName? {
        guard let place = keys.first?.placeOfName(issuer: issuer, subject: subject),
            let sealed = SealedValue.seal(name.encoded, with: place.secret, at: place.key)
        else { return nil }
        return WaitingName(key: place.key, sealed: sealed, owner: owner)
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
        find(keys[...], issuer, subject, on: eventLoop).flatMap(on: eventLoop) { kept -> Eventual<Void> in
            guard let kept, kept.name == name else { return .value(()) }
            waiting?.discard(kept.sealed, at: kept.key)
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
        @Sendable func kept(_ sealed: [UInt8]) -> Kept? {
            SealedValue.open(sealed, with: place.secret, at: place.key)
                .flatMap { UnverifiedName(encoded: $0) }
                .map { Kept(name: $0, key: place.key, sealed: sealed) }
        }
        // One that waits is later than what the store has.
        if let name = waiting?.value(at: place.key).flatMap({ kept($0) }) { return .value(name) }
        return store.read(place.key, on: eventLoop).flatMap(on: eventLoop) { sealed in
            if let name = sealed.flatMap({ kept($0) }) { return .value(name) }
            return find(keys.dropFirst(), issuer, subject, on: eventLoop)
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
