// SPDX-License-Identifier: Apache-2.0

import OIDCBroker

extension AuditEvent {
    /// Appends the line of this event, in JSON, behind others.
    func append(_ time: LogTime, to lines: inout [UInt8]) {
        guard !appendAtOnce(time, to: &lines) else { return }
        var line = LogLine(event: kind.rawValue, time: time)
        line.append(metadata)
        lines += line.end()
    }

    private func appendAtOnce(_ time: LogTime, to lines: inout [UInt8]) -> Bool {
        FixedText.append(to: &lines) { text in
            text.append("{\"time\":\"" as StaticString)
            text.append(time)
            text.append("\",\"event\":\"" as StaticString)
            text.append(kind.rawValue)
            forEachMember { name, value in
                text.append("\",\"" as StaticString)
                text.append(name)
                text.append("\":\"" as StaticString)
                text.append(value)
            }
            text.append("\"}\n" as StaticString)
        }
    }
}
