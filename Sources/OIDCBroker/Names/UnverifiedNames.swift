// SPDX-License-Identifier: Apache-2.0

import JOSE
import Synchronization

/// Names that a provider sends once in a lifetime, kept until an app has them: a sign-in whose last step fails must not
/// lose them.
///
/// In the memory of this process, each under a hash of issuer and subject, sealed under a key that only issuer and
/// subject give. A name lives a day at most; where there are too many the oldest goes.
final class UnverifiedNames: Sendable {
    /// How long a name is kept, seconds.
    static let lifetime: Int64 = 86_400
    /// The most names.
    static let maximumCount = 10_000

    private static let placePrefix = Array("oidc-broker unverified name place v1".utf8)
    private static let sealPrefix = Array("oidc-broker unverified name seal v1".utf8)

    /// Of this process alone.
    private let key = Hash.AuthenticationKey(SecureRandom.bytes(32))
    private let state = Mutex(
        StateMachine(lifetime: UnverifiedNames.lifetime, maximumCount: UnverifiedNames.maximumCount))

    /// Where a person's name is, and what it is sealed under.
    private struct Place {
        let bytes: [UInt8]
        let secret: SealingSecret
    }

    /// Keeps a person's name, instead of one that is kept already.
    func keep(_ name: UnverifiedName, issuer: String, subject: String, now: Int64) {
        let place = self.place(issuer, subject)
        guard
            let sealed = try? AuthenticatedEncryption.seal(
                name.encoded, key: place.secret, authenticating: place.bytes)
        else { return }
        state.withLock { $0.insert(sealed, at: place.bytes, now: now) }
    }

    /// A person's name; `nil` if none is kept.
    func name(issuer: String, subject: String, now: Int64) -> UnverifiedName? {
        let place = self.place(issuer, subject)
        return state.withLock { $0.entry(at: place.bytes, now: now) }.flatMap { open($0, place) }
    }

    /// An app has a person's name: it need not be kept any more. Another one that came since is.
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
