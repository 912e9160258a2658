// SPDX-License-Identifier: Apache-2.0

import Metrics
import Synchronization

/// The gauges `auth_apple_client_secret_usable`, one for each client ID of the configuration, each made once and kept.
final class UsableSecretGauges: Sendable {
    private static let label = "auth_apple_client_secret_usable"

    private let factory: (any MetricsFactory)?
    private let gauges = Mutex<[String: Gauge]>([:])

    /// - Parameter factory: The metrics system; `nil` for the one that is bootstrapped when a gauge is first used.
    init(factory: (any MetricsFactory)?) {
        self.factory = factory
    }

    /// Records whether the secrets of a client can be signed and are accepted.
    func record(clientID: String, isUsable: Bool) {
        gauge(clientID).record(isUsable ? 1 : 0)
    }

    /// Lets go of the gauges of clients. What is recorded later is recorded by new ones.
    func drop(_ clientIDs: Set<String>) {
        gauges.withLock { gauges in
            for clientID in clientIDs { gauges[clientID] = nil }
        }
    }

    /// Destroys all that a metrics system keeps of clients, from any recorder.
    /// - Parameter factory: The metrics system; `nil` for the one that is bootstrapped by now.
    static func destroy(_ clientIDs: Set<String>, factory: (any MetricsFactory)?) {
        for clientID in clientIDs { make(clientID, factory).destroy() }
    }

    private static func make(_ clientID: String, _ factory: (any MetricsFactory)?) -> Gauge {
        Gauge(label: label, dimensions: [("client_id", clientID)], factory: factory ?? MetricsSystem.factory)
    }

    private func gauge(_ clientID: String) -> Gauge {
        if let known = gauges.withLock({ $0[clientID] }) { return known }
        // Outside the lock, since the metrics system is outside code. Two of the same client are one value.
        let made = Self.make(clientID, factory)
        return gauges.withLock { gauges in
            if let known = gauges[clientID] { return known }
            gauges[clientID] = made
            return made
        }
    }
}
