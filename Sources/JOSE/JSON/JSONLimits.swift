// SPDX-License-Identifier: Apache-2.0

/// What a JSON text may cost its reader.
package struct JSONLimits: Sendable {
    /// The longest accepted text, in bytes.
    package var maximumBytes: Int

    /// How many arrays and objects may stand inside each other; the outermost counts as one.
    ///
    /// Values above ``deepest`` act as ``deepest``.
    package var maximumDepth: Int

    /// The hard ceiling of ``maximumDepth``: values are released and written by recursion, which this keeps shallow.
    package static let deepest = 256

    /// What the header of a token may cost, which is read before anything is verified.
    static let header = JSONLimits(maximumBytes: JSONWebSignature.longestToken, maximumDepth: 8)

    /// - Parameters:
    ///   - maximumBytes: The longest accepted text, in bytes.
    ///   - maximumDepth: The deepest accepted nesting.
    package init(maximumBytes: Int, maximumDepth: Int = 32) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
    }
}
