// SPDX-License-Identifier: Apache-2.0

import Logging
package import OIDCBroker

/// A line that is turned into text by the thread that writes it. Whoever logs copies what it says, which costs a fraction
/// of the text; and the thread makes the text of many lines in a row, which costs less than one now and then.
package enum UnwrittenLine: Sendable, Hashable {
    /// The line about a request, and the label of its logger.
    case request(AccessLine, LogTime, logger: String)
    /// An event of the audit.
    case event(AuditEvent, LogTime)

    /// The memory that it takes until it is written, about, in bytes.
    var byteCount: Int {
        switch self {
        // Its path is the configuration's.
        case .request: 256
        case .event(let event, _): 256 + (event.subject?.utf8.count ?? 0) + (event.account?.utf8.count ?? 0)
        }
    }

    /// Returns the text, with its line feed.
    func text(_ format: LogFormat) -> [UInt8] {
        switch self {
        case .request(let request, let time, let label):
            var line = LogLine(
                format, time: time, level: .info, logger: label, message: AccessLine.message.description)
            line.append(members: request)
            return line.end()
        case .event(let event, let time):
            var line = LogLine(event: event.kind.rawValue, time: time)
            line.append(members: event)
            return line.end()
        }
    }
}
