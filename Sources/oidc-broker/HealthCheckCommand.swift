// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerConfiguration
    import OIDCBrokerServer
    import OpenIDConnect
    import OpenIDRelyingParty

    /// The command `oidc-broker healthcheck`, which asks a running server how it is. A container needs no shell and no
    /// `curl` for it.
    struct HealthCheckCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "healthcheck",
            abstract: "Check whether a running server is healthy.",
            discussion: """
                Requests /healthz from the operations listener, at server.operations.port of the configuration or at \
                --url. Gives up after 2 seconds. Exit status 0: healthy. 1: not healthy, or no answer.

                Example: oidc-broker healthcheck --ready --url http://127.0.0.1:9090
                """)

        @OptionGroup var arguments: ConfigurationArguments

        @Flag(help: "Request /readyz: whether the server is ready for requests.")
        var ready = false

        @Option(
            help: ArgumentHelp(
                "The origin of the operations listener, such as http://127.0.0.1:9090. The configuration is not read then.",
                valueName: "url"))
        var url: String?

        /// The time after which no answer counts as a bad one.
        static let timeout = TimeAmount.seconds(2)

        func validate() throws {
            guard let url else { return }
            guard let parsed = AbsoluteURL(url), ["", "/"].contains(parsed.path), parsed.query == nil else {
                throw ValidationError("--url expects a scheme, a host and a port, such as http://127.0.0.1:9090.")
            }
        }

        func run() async throws {
            let target = try await listenerOrigin() + (ready ? "/readyz" : "/healthz")
            let status: UInt
            do {
                status = try await Self.status(of: target)
            } catch {
                throw Self.failure(
                    "\(target): \(ProviderTransportError(classifying: error)). Is the server running? A changed "
                        + "server.operations.port needs a restart.")
            }
            guard status == 200 else { throw Self.failure("\(target): status \(status)") }
        }

        /// The origin of the listener, from `--url` or the configuration.
        private func listenerOrigin() async throws -> String {
            if let parsed = url.flatMap({ AbsoluteURL($0) }) { return parsed.origin }
            let operations: OperationsConfiguration
            do throws(BrokerConfigurationError) {
                let sources = try await ConfigurationSources(
                    arguments: arguments.overrides, configurationFile: arguments.config)
                operations = try await sources.loadOperations()
            } catch {
                throw Self.failure(error.errors.map { "\($0)" }.joined(separator: "\n"))
            }
            guard let port = operations.port, port > 0 else {
                throw Self.failure("server.operations.port is not set: set it, or use --url")
            }
            return Self.origin(host: operations.host, port: port)
        }

        /// The origin of a listener on this machine. One that listens on every address is asked on the loopback one.
        static func origin(host: String, port: Int) -> String {
            switch host {
            case "0.0.0.0": "http://127.0.0.1:\(port)"
            case "::": "http://[::1]:\(port)"
            default: host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
            }
        }

        private static func status(of target: String) async throws -> UInt {
            var configuration = HTTPClient.Configuration()
            configuration.redirectConfiguration = .disallow
            configuration.timeout.connect = timeout
            let client = HTTPClient(
                eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: configuration)
            let status: Result<UInt, any Error>
            do {
                let response = try await client.execute(HTTPClientRequest(url: target), timeout: timeout)
                status = .success(response.status.code)
            } catch {
                status = .failure(error)
            }
            // An error here is that of the connection whose response was not read to its end.
            try? await client.shutdown()
            return try status.get()
        }

        private static func failure(_ message: String) -> ExitCode {
            StandardError.write("oidc-broker: \(message)")
            return .failure
        }
    }
#endif
