// SPDX-License-Identifier: Apache-2.0

/// A limit on the memory for bodies that are kept from one read to the next. The list is closed, since each is a label
/// of a counter.
package enum BodyLimit: String, Sendable {
    /// That of all clients together: others are turned away too.
    case total = "bodies"
    /// That of one client, or of a network that contains it.
    case address = "bodies-per-address"
}

extension Broker {
    /// Counts a body, or what was received behind a request, for which there was no memory.
    package func countRefusedBody(_ limit: BodyLimit) { services.metrics.limits.increment(limit.rawValue) }
}
