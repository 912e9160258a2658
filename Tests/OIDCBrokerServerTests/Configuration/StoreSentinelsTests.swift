// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// The keys about sentinels and standbys.
struct StoreSentinelsTests {
    private func isAccepted(_ change: (inout StoreConfiguration.Valkey) -> Void) -> Bool {
        var store = StoreConfiguration()
        store.kind = .valkey
        store.valkey.sentinels = ["10.0.0.1:26379", "sentinel-2:26379", "[fd00::1]:26379"]
        store.valkey.primaryName = "broker"
        change(&store.valkey)
        return store.boundsErrors(prefix: StoreConfiguration.prefix).isEmpty
    }

    @Test func `three sentinels and a name will do`() {
        #expect(isAccepted { _ in })
        #expect(isAccepted { $0.sentinelUsername = "me" })
        #expect(isAccepted { $0.sentinelPassword = Secret("secret") })
        #expect(isAccepted { $0.standbysToWaitFor = 16 })
        #expect(
            isAccepted {
                $0.tls = true
                $0.sentinels = ["192.0.2.1:1", "192.0.2.2:1", "192.0.2.3:1"]
            })
    }

    @Test func `an address is an alternative`() {
        #expect(!isAccepted { $0.address = "10.0.0.1:6379" })
        #expect(
            isAccepted {
                $0.address = "10.0.0.1:6379"
                $0.sentinels = []
                $0.primaryName = nil
            })
        #expect(
            !isAccepted {
                $0.sentinels = []
                $0.primaryName = nil
            })
    }

    @Test func `what does not fit together is refused`() {
        #expect(!isAccepted { $0.primaryName = nil })
        #expect(!isAccepted { $0.primaryName = "" })
        #expect(!isAccepted { $0.primaryName = "two words" })
        #expect(!isAccepted { $0.sentinels.removeLast() })
        #expect(!isAccepted { $0.sentinels[2] = $0.sentinels[0] })
        #expect(!isAccepted { $0.sentinels[2] = "/run/sentinel" })
        #expect(!isAccepted { $0.sentinels[2] = "10.0.0.3:0" })
        #expect(!isAccepted { $0.sentinels[2] = "192.0.2.1:26379" })
        #expect(!isAccepted { $0.standbysToWaitFor = 17 })
        #expect(!isAccepted { $0.standbysToWaitFor = -1 })
        #expect(
            !isAccepted {
                $0.address = "10.0.0.1:6379"
                $0.sentinels = []
            })
        #expect(
            !isAccepted {
                $0.address = "10.0.0.1:6379"
                $0.sentinels = []
                $0.primaryName = nil
                $0.sentinelPassword = Secret("secret")
            })
    }
}
