// SPDX-License-Identifier: Apache-2.0

/// The limits on a JSON text.
package struct JSONLimits: Sendable {
    /// The maximum length of the text, in bytes.
    package var maximumBytes: Int

    /// The maximum nesting of arrays and objects; the outermost one counts as one.
    ///
    /// Values above ``deepest`` act as ``deepest``.
    package var maximumDepth: Int

    /// The upper bound of ``maximumDepth``. Values are released and written recursively, so their depth must stay
    /// bounded.
    package static let deepest = 256

    /// The limits on the header of a token, which is read before anything is verified.
    static let header = JSONLimits(maximumBytes: JSONWebSignature.longestToken, maximumDepth: 8)

    /// - Parameters:
    ///   - maximumBytes: The maximum length of the text, in bytes.
    ///   - maximumDepth: The maximum nesting of arrays and objects.
    package init(maximumBytes: Int, maximumDepth: Int = 32) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
    }
}
