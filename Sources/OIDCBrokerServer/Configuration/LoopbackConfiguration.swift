// SPDX-License-Identifier: Apache-2.0

import IdentityToolkit
import OIDCBroker
package import OIDCBrokerConfiguration
public import OpenIDRelyingParty

/// The configuration of the listener on loopback alone, for SDKs that speak nothing but plain HTTP and for the admin
/// operations: the keys under `server.loopback.`. Every process of this machine can connect to it.
public struct LoopbackConfiguration: Sendable, Hashable {
    /// The port to listen on, 0 to 65535: `server.loopback.port`; `nil` for no such listener. 0 selects any free port.
    public var port: Int?
    /// What a request of the admin operations must have as its bearer token: `server.loopback.admin-token`; `nil` for
    /// nothing, so that no token opens them.
    public var adminToken: Secret?
    /// Whether the word `owner`, which the admin SDKs have built in, opens the admin operations too:
    /// `server.loopback.owner`.
    public var acceptsOwner = false

    /// Creates a configuration without a listener.
    public init() {}

    /// What a request of the admin operations must have.
    var adminCredentials: AdminCredentials { AdminCredentials(token: adminToken, acceptsOwner: acceptsOwner) }

    /// The warnings for the operator about a valid configuration.
    var warnings: [String] {
        guard acceptsOwner else { return [] }
        return [
            "server.loopback.owner is true: every process on this machine may see, change and delete all accounts."
        ]
    }
}

extension LoopbackConfiguration: SettingSection {
    package static let settings: [Setting<LoopbackConfiguration>] = [
        Setting(
            "port", \.port, .integer,
            "the port of a plain HTTP listener on 127.0.0.1 and ::1, for SDK emulator connections and the admin "
                + "operations; requires accounts; 0 for any free port",
            default: "none", bounds: .range(0...65535)
        ).fixedWhileRunning(),
        Setting(
            "admin-token", \.adminToken, .secret(tokenTakes),
            "the bearer token of the admin operations", default: "none"
        ).check(takes: tokenTakes) { loopback in
            guard let token = loopback.adminToken else { return nil }
            guard AdminCredentials.isToken(token.exposed) else { return tokenTakes }
            return loopback.port == nil ? portBeside : nil
        },
        Setting(
            "owner", \.acceptsOwner, .bool,
            "whether the token `owner`, which admin SDKs send by default, works too: for development only, since every "
                + "process on the machine can send it"
        ).check { $0.acceptsOwner && $0.port == nil ? portBeside : nil },
    ]

    /// The prefix of the keys.
    static let prefix = ServerConfiguration.prefix + "loopback."

    private static let tokenTakes =
        "\(AdminCredentials.tokenLengths.lowerBound) to \(AdminCredentials.tokenLengths.upperBound) characters of A-Z, "
        + "a-z, 0-9, -, ., _, ~, + and /, with = at the end"
    private static let portBeside = "server.loopback.port beside it: there is no listener without one"

    /// Returns the error of a listener where there are no accounts.
    func errorsWithoutAccounts(_ accesses: ConfigurationAccessRecorder) -> [ConfigurationError] {
        guard port != nil else { return [] }
        let key = Self.prefix + Self.key(of: \.port)
        return [
            ConfigurationError(
                key: key, source: accesses.source(of: key),
                expected: "accounts beside it (auth.accounts.project-id): it serves nothing else")
        ]
    }
}
