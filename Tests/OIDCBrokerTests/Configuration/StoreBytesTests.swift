// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerConfiguration
import SingleUse
import Testing

/// The configuration knows no store, and names the sizes of one.
struct StoreBytesTests {
    @Test func `the sizes of a configuration are those of the store in memory`() throws {
        let publicURL = try #require(PublicURL("https://auth.example.com"))
        let configuration = BrokerConfiguration(publicURL: publicURL, providers: [], apps: [])
        #expect(configuration.storeBytes == InMemorySingleUseStore.defaultBytes)
        #expect(BrokerConfiguration.allowedStoreBytes == InMemorySingleUseStore.allowedBytes)
    }
}
