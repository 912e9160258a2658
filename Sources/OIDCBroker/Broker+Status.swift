// SPDX-License-Identifier: Apache-2.0

import Admission
package import NIOCore
package import OpenIDRelyingParty
package import SingleUse

/// What operators may know about a running broker. Nothing here changes state at a provider or in a login.
extension Broker {
    /// What is known about each provider of the configuration, by the ID that clients know.
    package var providerStatuses: [(provider: String, status: RelyingPartyStatus)] {
        current.providers.map { ($0.id, $0.relyingParty.status) }
    }

    /// The number of callbacks that wait for each provider with sign-ins in a browser now, by the ID that clients know.
    package var callbacksInProgress: [(provider: String, count: Int)] {
        let snapshot = current
        let places = services.limiter.callbacks.taken
        return snapshot.providers.filter(\.hasWebFlow).map { provider in
            // Where there is only one, callbacks are not counted for it.
            (provider.id, snapshot.hasSeveralWebFlows ? places.count(of: provider.number) : places.count)
        }
    }

    /// How much of the stores in memory is used, by the name of the store; if the stores are shared, how much of what this
    /// process may have in them.
    package var storeUsages: [(store: String, usages: [SingleUseStoreUsage])] {
        let stores = [("logins", services.store), ("lasting", services.lastingStore)]
        return stores.compactMap { name, store in (store.inMemory?.usage ?? store.budget?.usage).map { (name, $0) } }
    }

    /// What is known of a store outside of this process; `nil` if the stores are in memory.
    package var sharedStoreStatus: SharedStoreStatus? { services.store.shared?.status }

    /// The number of operations that wait for a store outside of this process.
    package var waitingForStore: Int { services.store.shared?.waiting ?? 0 }

    /// The clock of a store outside of this process less the broker's own, in seconds, as of the last connection; `nil` if
    /// it is not known.
    package var storeClockOffset: Int64? { services.store.shared?.clockOffset }

    /// Asks a store outside of this process until it answers for the first time, and from then on while nothing else
    /// does, so that ``sharedStoreStatus`` tells the truth within ten seconds. If the stores are in memory, there is
    /// nothing to ask.
    /// - Throws: `CancellationError` when the task is canceled.
    package func reachStore(on eventLoop: any EventLoop) async throws {
        guard let store = services.store.shared else { return }
        store.watch(on: eventLoop)
        try await store.reach(on: eventLoop)
    }

    /// The current time of the broker's wall clock, in seconds since 1970.
    package var now: Int64 { services.clock.now() }
}
