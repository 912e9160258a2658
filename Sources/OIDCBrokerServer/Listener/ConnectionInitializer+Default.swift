// SPDX-License-Identifier: Apache-2.0

package import Logging
package import NIOSSL
package import OIDCBroker

extension ConnectionInitializer {
    /// Creates the initializer of a server with the default configuration, for channels that no listener accepted.
    /// - Parameters:
    ///   - broker: The broker.
    ///   - tls: The context of TLS.
    ///   - logger: The logger.
    package init(broker: Broker, tls: NIOSSLContext, logger: Logger) {
        let live = LiveServerConfiguration(ServerConfiguration())
        self.init(
            broker: broker, limits: ListenerLimits(), tls: tls, connections: OpenConnections(), live: live,
            connectionLimits: ConnectionLimits(
                live, memory: broker.memory, capacity: .max, logger: logger, metricsFactory: broker.metricsFactory),
            logger: logger)
    }
}
