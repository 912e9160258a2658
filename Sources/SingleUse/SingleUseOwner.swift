// SPDX-License-Identifier: Apache-2.0

/// The owner of an entry in a ``SingleUseStore``. A store may limit the entries of one user at one app, of one user at
/// all apps, of one browser at one app, and of all users of one provider. All members are hashes, so the store does not
/// learn them.
public struct SingleUseOwner: Sendable, Hashable {
    /// The user: an issuer and a subject.
    public let person: SingleUseKey
    /// The app of the sign-in; `nil` if there is none.
    public let app: SingleUseKey?
    /// The provider, which can invent any number of users; `nil` if it is the only one and so cannot displace others.
    public let provider: SingleUseKey?
    /// The browser in which the entry waits, for its user or to be claimed by a page; `nil` for every other entry. What
    /// waits for a user and what waits for a page have different keys of the same browser.
    ///
    /// Where a limit is reached, a new entry of the same browser and app takes the place of that browser's oldest one:
    /// a web page can make a browser begin any number of sign-ins that are never continued or claimed. It is the only case
    /// in which a store gives up an entry that lives.
    public let browser: SingleUseKey?

    /// Creates an owner, for tests of a store.
    public init(
        person: SingleUseKey, app: SingleUseKey? = nil, provider: SingleUseKey? = nil, browser: SingleUseKey? = nil
    ) {
        self.person = person
        self.app = app
        self.provider = provider
        self.browser = browser
    }
}
