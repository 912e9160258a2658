// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerRecords

/// A line of the broker's own that becomes text on the thread that writes it.
///
/// Each request has one or more. The event loop, which has other requests to answer, does not wait for their text.
enum LogRecord: Sendable, Equatable {
    /// The line about a request.
    case request(AccessLine, LogTime, RequestLineTemplate)
    /// A line of the audit.
    case event(AuditEvent, LogTime)

    /// The bytes that it counts for until it is written: more than it takes with its texts, which are those of the
    /// configuration or of the program, identifiers, and a subject of 43 bytes.
    static let byteCount = 512

    /// Whether a client without a verified identity may have caused it, in the audit.
    var isOfStranger: Bool { if case .event(let event, _) = self { event.isOfStranger } else { false } }

    /// Appends the line as text.
    func append(to batch: inout LineBatch) {
        batch.append { bytes in
            switch self {
            case .request(let line, let time, let template): template.write(line, time) { bytes += $0 }
            case .event(let event, let time): event.write(time) { bytes += $0 }
            }
        }
    }
}
