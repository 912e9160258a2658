// SPDX-License-Identifier: Apache-2.0

package import OIDCBroker

/// A line that is turned into text by the thread that writes it. Whoever logs copies what it says, which costs a fraction
/// of the text; and the thread makes the text of many lines in a row, which costs less than one now and then.
package enum UnwrittenLine: Sendable, Hashable {
    /// The line about a request, and what follows its time.
    case request(AccessLine, LogTime, start: [UInt8])
    /// An event of the audit.
    case event(AuditEvent, LogTime)

    /// The memory that it takes until it is written, about, in bytes.
    var byteCount: Int {
        switch self {
        // Its path is the configuration's, and its start the logger's.
        case .request: 256
        case .event(let event, _): 256 + (event.subject?.utf8.count ?? 0) + (event.account?.utf8.count ?? 0)
        }
    }

    /// Returns lines with this one behind them, which ends in a line feed.
    func text(_ format: LogFormat, behind lines: consuming [UInt8]) -> [UInt8] {
        switch self {
        case .request(let request, let time, let start):
            var line = LogLine(format, time: time, start: start, behind: consume lines)
            line.append(members: request)
            return line.end()
        case .event(let event, let time):
            var line = LogLine(event: event.kind.rawValue, time: time, behind: consume lines)
            line.append(members: event)
            return line.end()
        }
    }
}
