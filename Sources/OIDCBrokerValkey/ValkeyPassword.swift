// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A password that is never printed.
struct ValkeyPassword: Sendable, Unprinted {
    let text: String
}
