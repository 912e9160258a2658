// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The key of an entry in a ``SingleUseStore``: a hash, so that the store learns neither login IDs nor codes.
public struct SingleUseKey: Sendable, Hashable {
    /// The 32 bytes, stored inline to avoid an allocation for each key.
    let words: (UInt64, UInt64, UInt64, UInt64)

    /// The 32 bytes of the key.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: words) { Array($0) }
    }

    /// The maximum length of the value of a key, in bytes: 64 KB.
    public static let longestValue = 65_536

    /// Creates a key from 32 given bytes, for tests of a store. Any other number of bytes is hashed.
    public init(bytes: [UInt8]) {
        let bytes = bytes.count == 32 ? bytes : Hash.sha256(bytes)
        words = bytes.withUnsafeBytes { bytes in
            func word(_ number: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: 8 * number, as: UInt64.self) }
            return (word(0), word(1), word(2), word(3))
        }
    }

    public static func == (left: SingleUseKey, right: SingleUseKey) -> Bool {
        left.words == right.words
    }

    /// Hashes only the first bytes, since the key is a hash already.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }

    /// The purpose of an entry. Keys of different purposes are never equal.
    package enum Purpose: Sendable {
        /// The claim of a login that returned.
        case login
        /// The claim of a login that the person canceled before the app got it.
        case canceledLogin
        /// A hand-off record.
        case handOff
        /// The record of a ticket that an app of the SDKs redeems.
        case signInTicket
        /// A hand-off that waits for the user.
        case heldHandOff
        /// A sign-in of an extension that waits for a page to claim it.
        case heldForClaim
        /// The claim of an ID token that an app presented.
        case nativeCredential
        /// The access token that a hand-off code is redeemed for.
        case accessTokenOfCode
        /// The claim of an app's client assertion.
        case clientAssertion
        /// The claim of an access token that ended before its expiry.
        case endedAccessToken
        /// The claim of a provider's notification that was delivered.
        case notification
        /// The claim of a provider's notification that is being delivered.
        case notificationInHand
        /// A name that a provider sent once.
        case unverifiedName
        /// A claim that only shows whether a store accepts writes.
        case probe
        /// The owner of a record: an issuer and a subject.
        case owner
        /// The owner of a record that waits for the user.
        case waitingOwner
        /// The owner of a result that waits for a page.
        case unclaimedOwner
        /// The browser in which a record waits for the user.
        case waitingBrowser
        /// The browser in which a result waits for a page.
        case unclaimedBrowser
        /// The app of a record: its client ID.
        case app
        /// The provider of a sign-in: a configured issuer.
        case provider

        fileprivate var prefix: [UInt8] {
            switch self {
            case .login: Self.loginPrefix
            case .canceledLogin: Self.canceledLoginPrefix
            case .handOff: Self.handOffPrefix
            case .signInTicket: Self.signInTicketPrefix
            case .heldHandOff: Self.heldHandOffPrefix
            case .heldForClaim: Self.heldForClaimPrefix
            case .nativeCredential: Self.nativeCredentialPrefix
            case .accessTokenOfCode: Self.accessTokenOfCodePrefix
            case .clientAssertion: Self.clientAssertionPrefix
            case .endedAccessToken: Self.endedAccessTokenPrefix
            case .notification: Self.notificationPrefix
            case .notificationInHand: Self.notificationInHandPrefix
            case .unverifiedName: Self.unverifiedNamePrefix
            case .probe: Self.probePrefix
            case .owner: Self.ownerPrefix
            case .waitingOwner: Self.waitingOwnerPrefix
            case .unclaimedOwner: Self.unclaimedOwnerPrefix
            case .waitingBrowser: Self.waitingBrowserPrefix
            case .unclaimedBrowser: Self.unclaimedBrowserPrefix
            case .app: Self.appPrefix
            case .provider: Self.providerPrefix
            }
        }

        private static let loginPrefix = Array("oidc-broker login v1".utf8)
        private static let canceledLoginPrefix = Array("oidc-broker canceled login v1".utf8)
        private static let handOffPrefix = Array("oidc-broker hand-off v1".utf8)
        private static let signInTicketPrefix = Array("oidc-broker sign-in ticket v1".utf8)
        private static let heldHandOffPrefix = Array("oidc-broker held hand-off v1".utf8)
        private static let heldForClaimPrefix = Array("oidc-broker held for claim v1".utf8)
        private static let nativeCredentialPrefix = Array("oidc-broker native credential v1".utf8)
        private static let accessTokenOfCodePrefix = Array("oidc-broker access token of code v1".utf8)
        private static let clientAssertionPrefix = Array("oidc-broker client assertion v1".utf8)
        private static let endedAccessTokenPrefix = Array("oidc-broker ended access token v1".utf8)
        private static let notificationPrefix = Array("oidc-broker notification v1".utf8)
        private static let notificationInHandPrefix = Array("oidc-broker notification in hand v1".utf8)
        private static let unverifiedNamePrefix = Array("oidc-broker unverified name v1".utf8)
        private static let probePrefix = Array("oidc-broker probe v1".utf8)
        private static let ownerPrefix = Array("oidc-broker owner v1".utf8)
        private static let waitingOwnerPrefix = Array("oidc-broker waiting owner v1".utf8)
        private static let unclaimedOwnerPrefix = Array("oidc-broker unclaimed owner v1".utf8)
        private static let waitingBrowserPrefix = Array("oidc-broker waiting browser v1".utf8)
        private static let unclaimedBrowserPrefix = Array("oidc-broker unclaimed browser v1".utf8)
        private static let appPrefix = Array("oidc-broker app v1".utf8)
        private static let providerPrefix = Array("oidc-broker provider v1".utf8)
    }

    /// Creates a key, the SHA-256 hash of the purpose and the name.
    package init(_ purpose: Purpose, _ name: [UInt8]) {
        self.init(bytes: Hash.sha256(purpose.prefix + name))
    }
}
