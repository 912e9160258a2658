// SPDX-License-Identifier: Apache-2.0

#if Server
    import Logging
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerOperations
    import OIDCBrokerServer
    import OIDCBrokerTesting
    import OpenIDRelyingParty
    import Testing

    @testable import oidc_broker
    @testable import OIDCBrokerConfiguration

    /// What operators of `serve` see of the configuration in use.
    struct ServeOperationsTests {
        private static func configuration(
            _ providers: BrokerConfiguration.Provider...
        ) throws -> LoadedConfiguration {
            LoadedConfiguration(
                broker: BrokerConfiguration(
                    publicURL: try #require(PublicURL("https://localhost")), providers: providers, apps: []),
                server: ServerConfiguration())
        }

        @Test func `what ends is that of the configuration in use`() throws {
            let logger = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
            let operations = ServeOperations(
                OperationsConfiguration(), metrics: PrometheusMetrics(), group: .singleton, environment: [:],
                logger: logger)
            let certificate = try DevelopmentCertificate.makeForClient(name: "client.example", now: 1_800_000_000)
            var acme = BrokerConfiguration.Provider(
                name: "acme", issuer: "https://acme.invalid", clientID: "broker", clientSecret: nil)
            acme.configuration.clientCertificate = ClientCertificate(
                certificateChain: Array(certificate.certificatePEM.utf8), privateKey: Secret(certificate.privateKeyPEM))
            var globex = BrokerConfiguration.Provider(
                name: "globex", issuer: "https://globex.invalid", clientID: "broker",
                clientSecret: Secret("hunter2-is-no-secret"))
            globex.clientSecretExpires = 1_803_859_200
            operations.use(try Self.configuration(acme, globex))
            let names = operations.expiries.all.map { "\($0.kind) \($0.name)" }
            #expect(names == ["certificate oidc.acme", "clientSecret oidc.globex"])
            globex.clientSecretExpires = nil
            operations.use(try Self.configuration(globex))
            #expect(operations.expiries.all.isEmpty)
        }
    }
#endif
