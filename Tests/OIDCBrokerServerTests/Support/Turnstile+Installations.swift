// SPDX-License-Identifier: Apache-2.0

import TestingSupport

extension Turnstile {
    /// For everything that starts a provider and a broker with TLS: six at a time.
    static let installations = Turnstile(places: 6)
}
