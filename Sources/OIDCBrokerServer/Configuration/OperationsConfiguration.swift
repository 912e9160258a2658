// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
package import OIDCBrokerConfiguration

/// The configuration of the listener for operators, with `/healthz`, `/readyz` and `/metrics`: the keys under
/// `server.operations.`. Every client that can connect to it can read it.
public struct OperationsConfiguration: Sendable, Hashable {
    /// The address or host name to listen on: `server.operations.host`.
    public var host = "127.0.0.1"
    /// The port to listen on, 0 to 65535: `server.operations.port`; `nil` for no such listener. 0 selects any free port.
    public var port: Int?

    /// Creates a configuration without a listener.
    public init() {}
}

extension OperationsConfiguration: SettingSection {
    package static let settings: [Setting<OperationsConfiguration>] = [
        Setting("host", \.host, .text, "the address to listen on", bounds: ServerConfiguration.hostBounds)
            .fixedWhileRunning(),
        Setting(
            "port", \.port, .integer,
            "the port of the plain HTTP listener for `/healthz`, `/readyz` and `/metrics`; 0 for any free port",
            default: "none", bounds: .range(0...65535)
        ).fixedWhileRunning(),
    ]

    /// The prefix of the keys.
    static let prefix = ServerConfiguration.prefix + "operations."
}
