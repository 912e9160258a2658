// SPDX-License-Identifier: Apache-2.0

extension KeyRotation {
    /// The kinds of keys that are changed in three steps, and the times between these.
    ///
    /// A step counts only once every process has read the file, for which ``reload`` is allowed. The other times are
    /// how long something that the step makes wrong is kept elsewhere.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case sealing
        case signing
        case resource
        case accounts
        case sessionCookies = "session-cookies"

        /// How long every process needs to read a changed file, in seconds: ten minutes. A process that watches needs
        /// seconds; the rest is for a file that is brought to it, as by a mounted secret.
        package static let reload: Int64 = 600
        /// How long an app may keep the key set of the broker, in seconds: the `max-age` of `jwks`.
        package static let keySetAge: Int64 = 300
        /// How long an app may take an ID token of the broker after it was made, in seconds: it lives for a day at most,
        /// and an app may allow the clock five minutes more.
        package static let idTokenAge: Int64 = 86_700
        /// How long an API may take an access token after it was made, in seconds: it lives for an hour at most, and an API
        /// may allow the clock five minutes more.
        package static let resourceTokenAge: Int64 = 3900
        /// How long a cache may keep the keys of accounts, in seconds: six hours.
        package static let accountKeysAge: Int64 = 21_600
        /// How long an ID token of an account may be taken, in seconds: it lives for an hour, and is taken a little
        /// longer.
        package static let accountTokenAge: Int64 = 7200
        /// How long a session cookie may be taken, in seconds: it lives for 14 days at most, and a verifier may allow the
        /// clock five minutes more.
        package static let sessionCookieAge: Int64 = 1_209_900
        /// How long what a sealing key sealed may be kept, in seconds: a day, as names and access tokens are.
        package static let sealedAge: Int64 = 86_400

        /// The kind of the file.
        package var keyKind: KeyKind {
            switch self {
            case .sealing: .sealing
            case .signing: .signing
            case .resource: .resource
            case .accounts: .accounts
            case .sessionCookies: .sessionCookies
            }
        }

        /// The minimum time before a step after the previous one, in seconds.
        package func wait(before step: Step) -> Int64 {
            switch (self, step) {
            case (_, .add): 0
            case (.sealing, .promote): Self.reload
            case (.sealing, .drop): Self.reload + Self.sealedAge
            case (.signing, .promote), (.resource, .promote): Self.reload + Self.keySetAge
            case (.signing, .drop): Self.reload + Self.idTokenAge
            case (.resource, .drop): Self.reload + Self.resourceTokenAge
            case (.accounts, .promote), (.sessionCookies, .promote): Self.reload + Self.accountKeysAge
            case (.accounts, .drop): Self.accountTokenAge
            case (.sessionCookies, .drop): Self.reload + Self.sessionCookieAge
            }
        }
    }

    /// The steps, in their order.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        /// A new key becomes the second one. It is published, or opens, and does nothing else.
        case add
        /// The second key becomes the first one, which signs or seals.
        case promote
        /// The last key is removed.
        case drop

        /// The step after this one; after the last one a new key may be added.
        package var next: Step {
            switch self {
            case .add: .promote
            case .promote: .drop
            case .drop: .add
            }
        }

        /// What the step does, as in "it is too early to …".
        package var phrase: String {
            switch self {
            case .add: "add a new key second"
            case .promote: "move the second key first"
            case .drop: "drop the last key"
            }
        }
    }
}
