// SPDX-License-Identifier: Apache-2.0

/// A text of a page with one place for a name.
///
/// It is written as a string literal with the placeholder: `"Sign in to \(.name)"`. Where the name stands is up to the
/// language.
package struct PageText: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The text before the name.
    package let before: String
    /// The text after the name.
    package let after: String

    /// The place of the name in a text.
    package enum Placeholder: Sendable {
        case name
    }

    /// Creates a text without a name.
    package init(stringLiteral value: String) {
        before = value
        after = ""
    }

    /// Creates a text from a literal with the placeholder.
    package init(stringInterpolation: StringInterpolation) {
        before = stringInterpolation.before
        after = stringInterpolation.after
    }

    /// The accumulator of the parts of a ``PageText`` literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var before = ""
        fileprivate var after = ""
        private var hasName = false

        /// Creates an empty accumulator. The compiler calls this first.
        package init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a text before or after the name.
        package mutating func appendLiteral(_ literal: String) {
            if hasName { after += literal } else { before += literal }
        }

        /// Marks the place of the name.
        package mutating func appendInterpolation(_: Placeholder) { hasName = true }
    }

    /// Returns the text with a name, as plain text.
    package func plain(_ name: String) -> String { before + name + after }

    /// Returns the text with markup in the place of the name.
    package func html(_ name: HTML) -> HTML { "\(before)\(name)\(after)" }

    /// Returns the text with a name that is isolated from the direction of the text around it.
    package func html(isolating name: String) -> HTML { html("<bdi>\(name)</bdi>") }
}

/// What a page says about an event: what happened, and what it means for the user.
package struct PageMessage: Sendable, Hashable {
    /// A few words on what happened.
    package let title: String
    /// What this means for the user, and what to do.
    package let text: String

    /// Creates a message.
    package init(_ title: String, _ text: String) {
        self.title = title
        self.text = text
    }
}
