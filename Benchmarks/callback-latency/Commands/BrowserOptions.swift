// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatencyMeasurement

/// The options of the load `browser`.
struct BrowserOptions: ParsableArguments {
    @Flag(
        help: """
            Each sign-in is that of a browser with connections of its own, over TLS 1.3 and HTTP/2: the start on a new one, \
            the callback on a resumed one; redemptions on the app's kept one. Benchmarks/peers/setup browser installs it.
            """)
    var browser = false

    @Option(help: "The group of --browser: x25519mlkem768, offered with x25519 as browsers do, or x25519 alone.")
    var group = BrowserConnections.Group.x25519MLKEM768

    @Option(
        help: ArgumentHelp("The connection of a browser's start: new or resumed.", valueName: "connection"))
    var startConnection = BrowserConnections.Opening.new

    @Option(
        help: ArgumentHelp(
            "That of its callback: resumed; kept, that of the start; or new, as without tickets.",
            valueName: "connection"))
    var callbackConnection = BrowserConnections.Opening.resumed

    func validate() throws {
        if startConnection == .kept { throw ValidationError("start-connection is new or resumed") }
    }

    /// The connections; `nil` without browsers.
    var connections: BrowserConnections? {
        browser ? BrowserConnections(group: group, start: startConnection, callback: callbackConnection) : nil
    }
}

extension BrowserConnections.Group: ExpressibleByArgument {}
extension BrowserConnections.Opening: ExpressibleByArgument {}
