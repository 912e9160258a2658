// SPDX-License-Identifier: Apache-2.0

/// An entry of a key set that was left out, for a log line.
package struct SkippedKey: Sendable, Hashable {
    /// The entry's place in `keys`, from zero.
    package let index: Int

    /// Why it cannot be used.
    package let reason: VerificationKeyError
}
