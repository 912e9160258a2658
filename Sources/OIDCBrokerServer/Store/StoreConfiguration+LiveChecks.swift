// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerValkey
package import OpenIDRelyingParty

#if PostgreSQL
    import OIDCBrokerPostgreSQL
#endif

extension StoreConfiguration {
    /// Asks the store's server what the broker needs to know of it, one check for each; none if the store is in memory.
    /// - Parameter now: The time of this machine, in seconds since 1970.
    /// - Throws: `BrokerConfigurationError` if a file of TLS cannot be used, or if this program or its configuration
    ///   lacks what the store needs.
    package func liveChecks(now: Int64, on eventLoop: any EventLoop) async throws -> [LiveCheck] {
        switch kind {
        case .memory: return []
        case .valkey: return await ValkeyLiveChecks(try valkeyConfiguration(), now: now).run(on: eventLoop)
        case .postgresql:
            #if PostgreSQL
                return try await PostgreSQLLiveChecks(try postgreSQLConfiguration().connection, now: now).run()
            #else
                throw BrokerConfigurationError(errors: boundsErrors(prefix: Self.prefix))
            #endif
        }
    }
}
