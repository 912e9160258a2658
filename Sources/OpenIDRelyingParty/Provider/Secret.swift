// SPDX-License-Identifier: Apache-2.0

/// A value that must not be printed: its description, its debug description and its mirror say `<redacted>`.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value itself; for the one place that sends or derives from it.
    package let exposed: String

    /// Wraps a value.
    public init(_ value: String) {
        exposed = value
    }

    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Gives the value to a closure: the place where it leaves this type is easy to search for.
    public func withExposedValue<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        try body(exposed)
    }
}
