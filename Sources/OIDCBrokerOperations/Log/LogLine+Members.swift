// SPDX-License-Identifier: Apache-2.0

import OIDCBroker

extension LogLine {
    /// Appends the members of the line about a request, as ``append(_:)`` does with its metadata.
    mutating func append(members line: AccessLine) {
        append("address", token: line.addressText)
        if let outcome = line.outcome { append(AccessLine.outcomeName, outcome) }
        if let reference = line.reference { append(AccessLine.referenceName, reference) }
        append("bytes", number: line.bytes)
        append("method", token: line.method.rawValue)
        append("milliseconds", thousandths: line.microseconds)
        append("path", line.path)
        append("status", number: line.status)
        append("version", token: line.version.rawValue)
    }

    /// Appends the members of an event, as ``append(_:)`` does with its metadata.
    mutating func append(members event: AuditEvent) {
        event.forEachMember { append($0, $1) }
    }
}
