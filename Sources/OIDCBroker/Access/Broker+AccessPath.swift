// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords

extension Broker {
    /// Returns the path that the line about a request shows: one of the broker's or of its extensions' own, or
    /// ``AccessLogPaths/other``.
    /// - Parameter target: The request target as received.
    package func accessPath(of target: String) -> String {
        let snapshot = current
        let own = snapshot.accessPaths.path(of: target)
        guard own == AccessLogPaths.other, !snapshot.extensions.routes.isEmpty else { return own }
        let plain = String(target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)])
        return snapshot.extensions.route(at: plain) == nil ? own : plain
    }
}

extension AccessLogPaths {
    /// The paths of a configuration: the endpoints, and those of notifications, of client keys and of logins in process.
    init(_ paths: BrokerPaths, _ configuration: BrokerConfiguration) {
        self.init(
            paths.all
                + configuration.providers.flatMap {
                    [
                        configuration.notificationPath(provider: $0.name),
                        configuration.clientKeySetPath(provider: $0.name),
                    ]
                }
                + configuration.apps.filter { $0.kind == .inProcess }.map { paths.login(app: $0.name) })
    }
}
