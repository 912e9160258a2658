// SPDX-License-Identifier: Apache-2.0

/// A password that is never printed.
struct ValkeyPassword: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let text: String

    var description: String { "a password" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
