// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A hand-off that waits for the person's "Continue to APP": in the store, sealed under a key that only the login's
/// cookie gives. It waits as long as its login lives, not longer.
struct HeldHandOff {
    let key: SingleUseKey
    private let secret: SealingSecret

    init(loginID: [UInt8], binding: [UInt8]) {
        // With the binding value in it: whoever does not have the cookie cannot even take the entry away.
        key = SingleUseKey(.heldHandOff, loginID + binding)
        secret = SealingSecret(
            bytes: KeyDerivation.derive(key: binding, info: "oidc-broker held hand-off v1", count: 32))
    }

    func seal(_ delivery: HandOffDelivery) -> [UInt8]? {
        try? AuthenticatedEncryption.seal(delivery.encoded, key: secret, authenticating: key.bytes)
    }

    func open(_ sealed: [UInt8]) -> HandOffDelivery? {
        AuthenticatedEncryption.open(sealed, key: secret, authenticating: key.bytes)
            .flatMap { HandOffDelivery(encoded: $0) }
    }
}
