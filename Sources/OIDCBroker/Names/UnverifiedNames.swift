// SPDX-License-Identifier: Apache-2.0

import JOSE
import Synchronization

/// Names that a provider sends only once, kept until an app has received them, so that a sign-in whose last step fails
/// does not lose them.
///
/// They are kept in the memory of this process, each under a hash of issuer and subject, sealed under a key that only
/// issuer and subject yield. A name is kept for a day at most; if there are too many, the oldest is removed.
final class UnverifiedNames: Sendable {
    /// The time for which a name is kept, in seconds.
    static let lifetime: Int64 = 86_400
    /// The maximum number of names.
    static let maximumCount = 10_000

    private static let placePrefix = Array("oidc-broker unverified name place v1".utf8)
    private static let sealPrefix = Array("oidc-broker unverified name seal v1".utf8)

    /// A random key of this process.
    private let key = Hash.AuthenticationKey(SecureRandom.bytes(32))
    private let state = Mutex(
        StateMachine(lifetime: UnverifiedNames.lifetime, maximumCount: UnverifiedNames.maximumCount))

    /// The location of a user's name, and the key that seals it.
    private struct Place {
        let bytes: [UInt8]
        let secret: SealingSecret
    }

    /// Keeps a user's name, replacing an earlier one.
    func keep(_ name: UnverifiedName, issuer: String, subject: String, now: Int64) {
        let place = self.place(issuer, subject)
        guard
            let sealed = try? AuthenticatedEncryption.seal(
                name.encoded, key: place.secret, authenticating: place.bytes)
        else { return }
        state.withLock { $0.insert(sealed, at: place.bytes, now: now) }
    }

    /// Returns a user's name; `nil` if none is kept.
    func name(issuer: String, subject: String, now: Int64) -> UnverifiedName? {
        let place = self.place(issuer, subject)
        return state.withLock { $0.entry(at: place.bytes, now: now) }.flatMap { open($0, place) }
    }

    /// Records that an app received a user's name, which no longer has to be kept unless it was replaced in the
    /// meantime.
    func acknowledge(_ name: UnverifiedName, issuer: String, subject: String, now: Int64) {
        let place = self.place(issuer, subject)
        guard let entry = state.withLock({ $0.entry(at: place.bytes, now: now) }), open(entry, place) == name else {
            return
        }
        state.withLock { $0.remove(at: place.bytes, number: entry.number) }
    }

    private func place(_ issuer: String, _ subject: String) -> Place {
        var writer = ByteWriter()
        writer.write(counted: issuer.utf8)
        writer.write(counted: subject.utf8)
        let derived = key.code(for: writer.bytes)
        return Place(
            bytes: Hash.sha256(Self.placePrefix + derived),
            secret: SealingSecret(bytes: Hash.sha256(Self.sealPrefix + derived)))
    }

    private func open(_ entry: StateMachine.Entry, _ place: Place) -> UnverifiedName? {
        AuthenticatedEncryption.open(entry.sealed, key: place.secret, authenticating: place.bytes)
            .flatMap { UnverifiedName(encoded: $0) }
    }
}
