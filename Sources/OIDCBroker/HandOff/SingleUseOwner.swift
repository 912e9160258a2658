// SPDX-License-Identifier: Apache-2.0

/// Whose an entry of a ``SingleUseStore`` is, so that one person, or one provider, cannot fill it for everybody. Hashes:
/// the store learns neither.
public struct SingleUseOwner: Sendable, Hashable {
    /// The person: an issuer and a subject.
    public let person: SingleUseKey
    /// The provider, which invents as many persons as it likes; `nil` if it is the only one, and so keeps nobody else
    /// out.
    public let provider: SingleUseKey?

    /// An owner, for tests of a store.
    public init(person: SingleUseKey, provider: SingleUseKey? = nil) {
        self.person = person
        self.provider = provider
    }

    /// The owner of a person's records.
    /// - Parameter provider: see ``SingleUseKey/provider(issuer:)``.
    package static func owner(issuer: String, subject: String, provider: SingleUseKey? = nil) -> SingleUseOwner {
        var name = ByteWriter(capacity: issuer.utf8.count + subject.utf8.count + 16)
        name.write(long: issuer.utf8)
        name.write(long: subject.utf8)
        return SingleUseOwner(person: SingleUseKey(.owner, name.bytes), provider: provider)
    }
}

extension SingleUseKey {
    /// The provider of a configured issuer, as an owner names it.
    package static func provider(issuer: String) -> SingleUseKey {
        SingleUseKey(.provider, Array(issuer.utf8))
    }
}
