// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import NIOPosix
import OIDCBrokerTesting
import UnixSignals

/// The command `oidc-broker provider`, a development OpenID Provider by itself, against which a configuration can be tried
/// before there is an account at a real provider.
struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Run a development OpenID Provider, to try a configuration of your own.",
        discussion: """
            Listens on 127.0.0.1 only, without TLS, and has test users only. The broker that uses it is configured with \
            the issuer and the secret that this prints, and with insecure-loopback-issuer.
            """)

    @Option(help: "The port; 0 takes a free one.")
    var port = 9443

    @Option(help: "The broker's client ID.")
    var clientID = "broker"

    @Option(help: "The broker's client secret.")
    var clientSecret = "secret-of-the-development-provider"

    @Option(name: .customLong("redirect-uri"), help: "The broker's redirect URI: its issuer and /handler.")
    var redirectURI: String

    @Flag(help: "Sign the first test user in without pages, for tests.")
    var automatic = false

    func validate() throws {
        if !(0...65535).contains(port) { throw ValidationError("--port expects 0 to 65535.") }
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        var configuration = OpenIDProvider.Configuration(
            clients: [OpenIDProvider.Client(id: clientID, secret: clientSecret, redirectURIs: [redirectURI])],
            interaction: automatic ? .automatic(0) : .page)
        configuration.port = port
        configuration.issuerHost = "localhost"
        configuration.recordsRequests = false
        let provider = try await OpenIDProvider.start(configuration, on: MultiThreadedEventLoopGroup.singleton)
        FileOutput.line("issuer: \(provider.issuer)")
        FileOutput.line("client-id: \(clientID)")
        FileOutput.line("client-secret: \(clientSecret)")
        for await _ in signals { break }
        try await provider.shutdown()
    }
}
