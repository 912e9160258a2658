// SPDX-License-Identifier: Apache-2.0

import Crypto
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OpenIDRelyingParty
import StoreTesting
import Testing
import TestingSupport

/// A server with accounts whose public listener has TLS, and its loopback listener.
struct LoopbackServer: Sendable {
    static let token = "admin-token-0123456789abcdefghijklmnop"
    static let projectID = "acme-shop"
    static let apiKey = "web-4f1c0000"
    static let admin = "/identitytoolkit.googleapis.com/v1/projects/\(projectID)/accounts:"

    let server: RunningServer
    /// The port of the loopback listener.
    let port: Int

    /// Runs a body against a server.
    /// - Parameters:
    ///   - options: What is otherwise.
    ///   - configure: Changes the configuration of the server, which has port 0 and the token.
    static func run<Value: Sendable>(
        _ options: RunningServer.Options = RunningServer.Options(),
        configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
        _ body: (LoopbackServer) async throws -> Value
    ) async throws -> Value {
        var options = options
        let standIn = try #require(PublicURL("https://localhost:1"))
        options.making = try making(beside: options.configuration(standIn), options.requestLimits)
        options.configureServer = { configuration, _ in
            configuration.loopback.port = 0
            configuration.loopback.adminToken = Secret(token)
            configure(&configuration)
        }
        return try await RunningServer.run(options) { server in
            let address = try await server.server.boundLoopbackAddress()
            return try await body(LoopbackServer(server: server, port: try #require(address.port)))
        }
    }

    private static func making(
        beside broker: BrokerConfiguration, _ limits: RequestLimits
    ) throws -> RunningServer.Options.Making {
        let configuration = AccountsConfiguration(
            projectID: projectID, database: "sqlite:/not-opened/accounts.sqlite",
            signingKeys: [Secret(P256.Signing.PrivateKey().pemRepresentation)],
            apps: [SDKAppConfiguration(name: "web", apiKey: apiKey)])
        let accounts = try BrokerAccounts(
            configuration: configuration, broker: broker, store: ModelAccountStore(), logger: .quiet)
        return RunningServer.Options.Making(
            make: {
                try accounts.makeBroker(configuration: $0, transport: $1, requestLimits: limits, logger: .quiet)
            },
            reload: { try accounts.reload(configuration, brokerConfiguration: $1, of: $0) })
    }

    /// A request with a body.
    /// - Parameters:
    ///   - line: The method and the target.
    ///   - host: The value of `Host`; `nil` for the listener's own.
    func request(
        _ line: String, host: String? = nil, _ fields: [String] = [], body: String = ""
    ) -> String {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        return Request.head(line + " HTTP/1.1", ["Host: " + (host ?? "127.0.0.1:\(port)")] + fields + length) + body
    }

    /// Sends a request on a connection of its own.
    func response(to request: String) async throws -> RawConnection.Response {
        try await RawConnection.open(port: port) { connection in
            try await connection.send(request)
            return try await connection.response()
        }
    }
}
