// SPDX-License-Identifier: Apache-2.0

/// The owner of an entry of a ``SingleUseStore``: a store may bound what one person has at one app, what one person has
/// at all of them, and what one provider's persons have together. All are hashes; the store learns none of them.
public struct SingleUseOwner: Sendable, Hashable {
    /// The person: an issuer and a subject.
    public let person: SingleUseKey
    /// The app that asked; `nil` if none did.
    public let app: SingleUseKey?
    /// The provider, which can invent as many persons as it likes; `nil` if it is the only one, and so keeps no other
    /// out.
    public let provider: SingleUseKey?

    /// Creates an owner, for tests of a store.
    public init(person: SingleUseKey, app: SingleUseKey? = nil, provider: SingleUseKey? = nil) {
        self.person = person
        self.app = app
        self.provider = provider
    }

    /// The owner of a person's records.
    /// - Parameters:
    ///   - app: The client id of the app.
    ///   - provider: See ``SingleUseKey/provider(issuer:)``.
    package static func owner(
        issuer: String, subject: String, app: String? = nil, provider: SingleUseKey? = nil
    ) -> SingleUseOwner {
        var name = ByteWriter(capacity: issuer.utf8.count + subject.utf8.count + 16)
        name.write(long: issuer.utf8)
        name.write(long: subject.utf8)
        return SingleUseOwner(
            person: SingleUseKey(.owner, name.bytes), app: app.map { SingleUseKey(.app, Array($0.utf8)) },
            provider: provider)
    }

    /// The owner of what waits for the same person's "Continue".
    ///
    /// It is counted apart: any page can make a browser with a session at the provider begin sign-ins that nobody
    /// continues, and they must not keep the person from those that end.
    var waiting: SingleUseOwner {
        SingleUseOwner(person: SingleUseKey(.waitingOwner, person.bytes), app: app, provider: provider)
    }
}

extension SingleUseKey {
    /// The provider of a configured issuer, as an owner names it.
    package static func provider(issuer: String) -> SingleUseKey {
        SingleUseKey(.provider, Array(issuer.utf8))
    }
}
