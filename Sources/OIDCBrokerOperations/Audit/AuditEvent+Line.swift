// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerRecords

extension AuditEvent {
    /// Writes the line of this event, in JSON.
    /// - Parameter take: Gets the line. The bytes are valid until it returns.
    func write(_ time: LogTime, to take: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard !writeAtOnce(time, to: take) else { return }
        var line = LogLine(event: kind.rawValue, time: time)
        line.append(metadata)
        line.end().withUnsafeBufferPointer(take)
    }

    private func writeAtOnce(_ time: LogTime, to take: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        FixedText.write(
            { text in
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
            }, to: take)
    }
}
