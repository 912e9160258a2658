// SPDX-License-Identifier: Apache-2.0

import JOSE

@testable import OIDCBroker
@testable import OIDCBrokerState

// Texts of the tests' own, where the broker takes what was received.

extension StateSealer {
    func open(_ text: String, for purpose: Purpose) -> (plaintext: [UInt8], keys: LoginKeys)? {
        open(WireText(text), for: purpose)
    }
}

extension HandOff {
    init?(code: String) { self.init(code: WireText(code)) }
}

extension UnverifiedName {
    init?(appleUser text: String) { self.init(appleUser: WireText(text)) }
}
