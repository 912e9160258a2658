// SPDX-License-Identifier: Apache-2.0

/// How lines of the log are written.
package enum LogFormat: Sendable, Hashable {
    /// Text to read: the time, the level and the message, then `key=value` for each metadata value.
    case text
    /// For a program: one JSON object a line (RFC 8259).
    case json
}
