// SPDX-License-Identifier: Apache-2.0

package import OpenIDRelyingParty

/// What operators may know about a running broker. Nothing here changes state at a provider or in a login.
extension Broker {
    /// What is known about each provider of the configuration, by the ID that clients know.
    package var providerStatuses: [(provider: String, status: RelyingPartyStatus)] {
        current.providers.map { ($0.id, $0.relyingParty.status) }
    }

    /// How much of the stores in memory is used, by the name of the store; empty if the stores are shared.
    package var storeUsages: [(store: String, usages: [SingleUseStoreUsage])] {
        let now = services.clock.now()
        let stores = [
            ("logins", services.immediateStore), ("lasting", services.apple.lastingStore as? InMemorySingleUseStore),
        ]
        return stores.compactMap { name, store in store.map { (name, $0.usage(now: now)) } }
    }

    /// The current time of the broker's wall clock, in seconds since 1970.
    package var now: Int64 { services.clock.now() }
}
