// SPDX-License-Identifier: Apache-2.0

/// A value whose contents must not be printed: its description, debug description and mirror do not contain them.
package protocol Unprinted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Unprinted {
    /// The name of the type.
    package var description: String { "\(Self.self)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
