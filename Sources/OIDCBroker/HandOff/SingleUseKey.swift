// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The name of an entry in a ``SingleUseStore``: a hash, so that the store learns neither a login id nor a code.
public struct SingleUseKey: Sendable, Hashable {
    /// The 32 bytes, in place: a million keys are a million allocations less.
    let words: (UInt64, UInt64, UInt64, UInt64)

    /// 32 bytes.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: words) { Array($0) }
    }

    /// A key of 32 bytes of one's own, for tests of a store; of any other number of bytes their hash.
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

    /// Its first bytes are as good as all of them: it is a hash already.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }

    /// What an entry is for: no name of one purpose is ever one of another.
    package enum Purpose: Sendable {
        /// The mark of a login that returned.
        case login
        /// A hand-off record.
        case handOff
        /// A hand-off that waits for the person.
        case heldHandOff
        /// The mark of an ID token that an app brought.
        case nativeCredential
        /// The mark of a provider's notification that was handed on.
        case notification
        /// Whose record it is: an issuer and a subject.
        case owner
        /// Whose record it is, of those that wait for the person.
        case waitingOwner
        /// For whom it is: an app's client id.
        case app
        /// Whose sign-in it is: a configured issuer.
        case provider

        fileprivate var prefix: [UInt8] {
            switch self {
            case .login: Self.loginPrefix
            case .handOff: Self.handOffPrefix
            case .heldHandOff: Self.heldHandOffPrefix
            case .nativeCredential: Self.nativeCredentialPrefix
            case .notification: Self.notificationPrefix
            case .owner: Self.ownerPrefix
            case .waitingOwner: Self.waitingOwnerPrefix
            case .app: Self.appPrefix
            case .provider: Self.providerPrefix
            }
        }

        private static let loginPrefix = Array("oidc-broker login v1".utf8)
        private static let handOffPrefix = Array("oidc-broker hand-off v1".utf8)
        private static let heldHandOffPrefix = Array("oidc-broker held hand-off v1".utf8)
        private static let nativeCredentialPrefix = Array("oidc-broker native credential v1".utf8)
        private static let notificationPrefix = Array("oidc-broker notification v1".utf8)
        private static let ownerPrefix = Array("oidc-broker owner v1".utf8)
        private static let waitingOwnerPrefix = Array("oidc-broker waiting owner v1".utf8)
        private static let appPrefix = Array("oidc-broker app v1".utf8)
        private static let providerPrefix = Array("oidc-broker provider v1".utf8)
    }

    /// SHA-256 over purpose and name.
    package init(_ purpose: Purpose, _ name: [UInt8]) {
        self.init(bytes: Hash.sha256(purpose.prefix + name))
    }
}
