// SPDX-License-Identifier: Apache-2.0

/// Interpolating a received text would produce its type's name, in log lines, errors and responses alike. These
/// overloads make `"\(text)"` a warning, which this package treats as an error. Overload resolution prefers them to the
/// generic interpolation because they name the type; unavailable overloads would be skipped in favor of the generic
/// one.
extension DefaultStringInterpolation {
    /// Not for use: choose the form of the text explicitly.
    @available(*, deprecated, message: "interpolate ascii(atMost:) or makeString: this shows a type's name")
    package mutating func appendInterpolation(_ text: WireText) {
        appendLiteral(text.description)
    }

    /// Not for use: choose the form of the text explicitly.
    @available(*, deprecated, message: "interpolate ascii(atMost:) or makeString: this shows a type's name")
    package mutating func appendInterpolation(_ text: WireText?) {
        appendLiteral(text?.description ?? "nil")
    }

    /// Not for use: choose the form of the text explicitly.
    @available(*, deprecated, message: "interpolate ascii(atMost:) or makeString: this shows a type's name")
    package mutating func appendInterpolation(_ text: WireText?, default other: @autoclosure () -> some StringProtocol)
    {
        appendLiteral(text?.description ?? String(other()))
    }
}
