// SPDX-License-Identifier: Apache-2.0

/// A short code on a page and in the log line about it (`auth.reference`), so that an operator finds the line of what a
/// person reports. It is random and no secret.
///
/// Lines that clients can cause at will are written once a second. A page whose own line was omitted has the reference of
/// the line that was written.
package struct PageReference: Sendable, Hashable, CustomStringConvertible {
    /// Digits and letters that are not mistaken for each other when they are read out.
    private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")

    /// Two groups of four characters.
    package let description: String

    /// Creates a reference.
    package init() {
        var bits = UInt64.random(in: 0...UInt64.max)
        var text = ""
        for position in 0..<8 {
            if position == 4 { text.append("-") }
            text.append(Self.alphabet[Int(bits % 32)])
            bits /= 32
        }
        description = text
    }
}
