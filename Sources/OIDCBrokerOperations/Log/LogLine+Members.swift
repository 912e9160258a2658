// SPDX-License-Identifier: Apache-2.0

import OIDCBroker

extension LogLine {
    /// Appends the members of an event, as ``append(_:)`` does with its metadata.
    mutating func append(members event: AuditEvent) {
        event.forEachMember { append($0, $1) }
    }
}
