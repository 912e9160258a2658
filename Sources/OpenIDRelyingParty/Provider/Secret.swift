// SPDX-License-Identifier: Apache-2.0

/// A value that must not be printed: its description, debug description and mirror show `<redacted>`.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value itself, for the code that sends it or derives from it.
    package let exposed: String

    /// Creates a secret from a value.
    public init(_ value: String) {
        exposed = value
    }

    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Passes the value to a closure. The call marks the place where the value leaves this type.
    public func withExposedValue<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        try body(exposed)
    }
}
