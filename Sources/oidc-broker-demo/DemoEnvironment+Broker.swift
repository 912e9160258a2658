// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerServer
import OpenIDRelyingParty
import ServiceLifecycle

extension DemoEnvironment {
    /// Starts the broker, and returns when it listens.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the demo.
    ///   - port: The port.
    ///   - accountsDatabase: The path of the database of accounts; `nil` for none.
    ///   - certificates: The store of the certificate.
    ///   - parts: The parts that run already.
    ///   - logger: The logger of the broker.
    /// - Returns: The task that serves until it is canceled.
    /// - Throws: An error of the configuration, of the database or of the listener. Then nothing serves.
    static func startBroker(
        _ configuration: DemoConfiguration, port: Int, accountsDatabase: String?, certificates: CertificateStore,
        parts: Parts, logger: Logger
    ) async throws -> Task<Void, any Error> {
        let brokerConfiguration = try await configuration.brokerConfiguration()
        let broker: Broker
        var services: [any Service] = []
        if let accountsDatabase {
            let accounts = try BrokerAccounts(
                configuration: DemoAccounts.configuration(
                    database: accountsDatabase, webApp: configuration.appAuthority),
                broker: brokerConfiguration, logger: logger)
            broker = try accounts.makeBroker(
                configuration: brokerConfiguration, transport: parts.transport, logger: logger)
            services.append(accounts)
        } else {
            broker = try Broker(configuration: brokerConfiguration, transport: parts.transport, logger: logger)
        }
        let server = try BrokerServer(
            configuration: ServerConfiguration(
                host: "127.0.0.1", port: port,
                tls: TLSFiles(certificateChain: certificates.certificatePath, privateKey: certificates.keyPath)),
            broker: broker, eventLoopGroup: parts.group, logger: logger)
        // The last one ends first: nothing is asked of a store that was closed.
        services.append(server)
        let group = ServiceGroup(configuration: .init(services: services, logger: logger))
        let serving = Task { try await group.run() }
        do {
            _ = try await server.boundAddress()
        } catch {
            serving.cancel()
            _ = await serving.result
            throw error
        }
        return serving
    }
}
