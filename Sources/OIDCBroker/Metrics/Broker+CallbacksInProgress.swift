// SPDX-License-Identifier: Apache-2.0

import Admission

extension Broker {
    /// The number of callbacks that wait for each provider with sign-ins in a browser now, by the ID that clients know.
    package var callbacksInProgress: [(provider: String, count: Int)] {
        let snapshot = current
        let places = services.limiter.callbacks.taken
        return snapshot.providers.filter(\.hasWebFlow).map { provider in
            // Where there is only one, callbacks are not counted for it.
            (provider.id, snapshot.hasSeveralWebFlows ? places.count(of: provider.number) : places.count)
        }
    }
}
