// SPDX-License-Identifier: Apache-2.0

import JOSE
package import SingleUse

/// The place of a sign-in that waits: for the user's "Continue to APP", or for the page that claims it. It is in the
/// store, sealed under a key that only the login's cookie yields, until the login expires.
package struct PendingHandOff {
    /// What a sign-in waits for. Each has places of its own: a claim never gets what a user has to allow.
    package enum Event {
        case person
        case claim
    }

    /// The key of the entry in the store.
    package let key: SingleUseKey
    private let secret: SealingSecret

    /// Creates the place of a login's sign-in.
    package init(loginID: [UInt8], binding: [UInt8], until event: Event = .person) {
        // The key contains the binding value: without the cookie, a client cannot even remove the entry.
        key = SingleUseKey(event == .person ? .heldHandOff : .heldForClaim, loginID + binding)
        secret = SealingSecret(
            bytes: KeyDerivation.derive(key: binding, info: "oidc-broker held hand-off v1", count: 32))
    }

    /// Seals a sign-in; `nil` if the cipher fails.
    package func seal(_ signIn: PendingDelivery) -> [UInt8]? {
        SealedValue.seal(signIn.encoded, with: secret, at: key)
    }

    /// Opens a sign-in; `nil` if it was not sealed for this place.
    package func open(_ sealed: [UInt8]) -> PendingDelivery? {
        SealedValue.open(sealed, with: secret, at: key).flatMap { PendingDelivery(encoded: $0) }
    }
}

/// A sign-in that waits.
package enum PendingDelivery {
    /// A hand-off to an app.
    case ofApp(HandOffDelivery)
    /// The sign-in of a login that belongs to an extension.
    case ofExtension(PendingExtensionSignIn)

    var encoded: [UInt8] {
        switch self {
        case .ofApp(let delivery): delivery.encoded
        case .ofExtension(let signIn): signIn.encoded
        }
    }

    /// Reads what `encoded` wrote; `nil` if it did not write this.
    package init?(encoded: [UInt8]) {
        // A delivery begins with a length of eight bytes. The first byte is 0.
        if encoded.first == PendingExtensionSignIn.format {
            guard let signIn = PendingExtensionSignIn(encoded: encoded) else { return nil }
            self = .ofExtension(signIn)
        } else {
            guard let delivery = HandOffDelivery(encoded: encoded) else { return nil }
            self = .ofApp(delivery)
        }
    }
}
