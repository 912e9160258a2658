// SPDX-License-Identifier: Apache-2.0

import Metrics

/// The counters of connections that are closed before anything is read from them: one for each reason, since a refusal
/// is counted once. They are made once, because making one for each connection of a flood is expensive.
struct ConnectionRefusalCounters: Sendable {
    private let untrusted: Counter
    private let total: Counter
    private let loopback: Counter
    private let address: Counter
    private let memory: Counter
    private let rate: Counter

    /// - Parameter factory: What makes the counters.
    init(factory: any MetricsFactory) {
        func counter(_ label: String, _ name: String, _ value: String) -> Counter {
            Counter(label: label, dimensions: [(name, value)], factory: factory)
        }
        untrusted = counter("auth_connections_refused", "reason", ConnectionRefusal.untrusted.rawValue)
        total = counter("auth_limits", "limit", "connections")
        loopback = counter("auth_limits", "limit", "connections-loopback")
        address = counter("auth_limits", "limit", "connections-per-address")
        memory = counter("auth_limits", "limit", "connections-memory")
        rate = counter("auth_limits", "limit", "connections-rate")
    }

    /// Counts a refusal.
    func count(_ refusal: ConnectionRefusal) {
        switch refusal {
        case .untrusted: untrusted.increment()
        case .total: total.increment()
        case .loopback: loopback.increment()
        case .address: address.increment()
        case .memory: memory.increment()
        case .rate: rate.increment()
        }
    }
}
