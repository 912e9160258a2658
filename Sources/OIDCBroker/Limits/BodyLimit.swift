// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerRecords

/// A limit on the memory for bodies that are kept from one read to the next. Each is a label of a counter, so the list
/// is closed.
package enum BodyLimit: String, Sendable {
    /// The limit of all clients together, at which other clients are refused too.
    case total = "bodies"
    /// The limit of one client, or of a network that contains it.
    case address = "bodies-per-address"
}

extension Broker {
    /// Counts a body, or bytes received after a request, for which there was no memory.
    package func countRefusedBody(_ limit: BodyLimit) { services.metrics.limits.increment(limit.rawValue) }
}
