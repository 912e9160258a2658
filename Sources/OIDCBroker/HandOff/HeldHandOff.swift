// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A hand-off that waits for the user's "Continue to APP". It is in the store, sealed under a key that only the login's
/// cookie yields, until the login expires.
struct HeldHandOff {
    let key: SingleUseKey
    private let secret: SealingSecret

    init(loginID: [UInt8], binding: [UInt8]) {
        // The key contains the binding value: without the cookie, a client cannot even remove the entry.
        key = SingleUseKey(.heldHandOff, loginID + binding)
        secret = SealingSecret(
            bytes: KeyDerivation.derive(key: binding, info: "oidc-broker held hand-off v1", count: 32))
    }

    func seal(_ delivery: HandOffDelivery) -> [UInt8]? {
        SealedValue.seal(delivery.encoded, with: secret, at: key)
    }

    func open(_ sealed: [UInt8]) -> HandOffDelivery? {
        SealedValue.open(sealed, with: secret, at: key).flatMap { HandOffDelivery(encoded: $0) }
    }
}
