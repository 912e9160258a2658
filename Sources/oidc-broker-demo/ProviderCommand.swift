// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import NIOPosix
import OIDCBrokerTesting
import UnixSignals

/// The command `oidc-broker-demo provider`, a development OpenID Provider by itself, against which a configuration can be
/// tried before there is an account at a real provider.
struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Run a development OpenID Provider, to try a configuration of your own.",
        discussion: """
            Listens on 127.0.0.1 only, without TLS, and has only test users. Configure the broker with the issuer and \
            the secret that are printed, and with insecure-loopback-issuer.

            Example: oidc-broker-demo provider --redirect-uri http://localhost:8080/__/auth/handler
            """)

    @Option(help: "The port; 0 for a free one.")
    var port = 9443

    @Option(help: "The broker's client ID.")
    var clientID = "broker"

    @Option(help: "The broker's client secret.")
    var clientSecret = "secret-of-the-development-provider"

    @Option(name: .customLong("redirect-uri"), help: "The redirect URI of the broker: its issuer followed by /handler.")
    var redirectURI: String

    @Option(
        help: """
            The client ID of a native app that signs users in itself, such as com.example.app: a public client with \
            PKCE, whose redirect URI is the ID followed by :/callback.
            """)
    var nativeClient: String?

    @Flag(
        help: "Sign in the first test user without pages, for tests. The browser then has a session, for prompt=none.")
    var automatic = false

    func validate() throws {
        if !(0...65535).contains(port) { throw ValidationError("--port expects 0 to 65535.") }
        if let nativeClient, !Self.isReverseDomainName(nativeClient) || nativeClient == clientID {
            throw ValidationError(
                "--native-client expects a domain name in reverse, such as com.example.app, other than --client-id.")
        }
    }

    /// The configuration of the provider that the options describe.
    var providerConfiguration: OpenIDProvider.Configuration {
        var clients = [OpenIDProvider.Client(id: clientID, secret: clientSecret, redirectURIs: [redirectURI])]
        if let nativeClient {
            clients.append(OpenIDProvider.Client(id: nativeClient, redirectURIs: ["\(nativeClient):/callback"]))
        }
        var configuration = OpenIDProvider.Configuration(
            clients: clients, interaction: automatic ? .automatic(0) : .page)
        configuration.port = port
        configuration.keepsSessions = automatic
        configuration.issuerHost = "localhost"
        configuration.recordsRequests = false
        return configuration
    }

    /// Whether a text can be the scheme of a native app's redirect URI: a domain name in reverse (RFC 8252 section 7.1).
    private static func isReverseDomainName(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count > 1, let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty
                && label.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                }
        }
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let provider = try await OpenIDProvider.start(providerConfiguration, on: MultiThreadedEventLoopGroup.singleton)
        FileOutput.line("issuer: \(provider.issuer)")
        FileOutput.line("client-id: \(clientID)")
        FileOutput.line("client-secret: \(clientSecret)")
        for await _ in signals { break }
        try await provider.shutdown()
    }
}
