// SPDX-License-Identifier: Apache-2.0

/// A received text in an interpolation would show its type's name, in a log line or an error as well as in what is handed
/// on. `"\(text)"` is a warning therefore, which is an error here: these are chosen before the interpolation of any type,
/// since they name theirs. Were they unavailable, they would be passed over for that one.
extension DefaultStringInterpolation {
    /// Not for use: say which form of the text is meant.
    @available(*, deprecated, message: "interpolate ascii(atMost:) or makeString: this shows a type's name")
    package mutating func appendInterpolation(_ text: WireText) {
        appendLiteral(text.description)
    }

    /// Not for use: say which form of the text is meant.
    @available(*, deprecated, message: "interpolate ascii(atMost:) or makeString: this shows a type's name")
    package mutating func appendInterpolation(_ text: WireText?) {
        appendLiteral(text?.description ?? "nil")
    }

    /// Not for use: say which form of the text is meant.
    @available(*, deprecated, message: "interpolate ascii(atMost:) or makeString: this shows a type's name")
    package mutating func appendInterpolation(_ text: WireText?, default other: @autoclosure () -> some StringProtocol)
    {
        appendLiteral(text?.description ?? String(other()))
    }
}
