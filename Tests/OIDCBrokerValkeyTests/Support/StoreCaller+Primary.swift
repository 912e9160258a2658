// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestingSupport

@testable import OIDCBrokerValkey

extension StoreCaller {
    /// The time of its event loop.
    var now: NIODeadline { eventLoop.now }

    /// Whether the server that standbys do not confirm is the primary.
    func isStillPrimary(silentSince silence: NIODeadline) async throws -> Bool {
        guard let store = store as? ValkeySingleUseStore else { return false }
        return try await store.isStillPrimary(silentSince: silence, on: eventLoop).get()
    }
}
