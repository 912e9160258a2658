// SPDX-License-Identifier: Apache-2.0

/// A member name as a dictionary key, equal only to the same code points (see `String.hasSameBytes(as:)`).
struct JSONMemberName: Hashable, Sendable {
    let text: String

    static func == (left: JSONMemberName, right: JSONMemberName) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        text.utf8.withContiguousBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
