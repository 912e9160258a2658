// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The version of the Firebase SDK for JavaScript, as it says it in a start: `v`.
struct SDKVersion: Sendable, Hashable, Comparable {
    /// The oldest version that is supported. An older one does not say which page gets the result of a popup.
    static let oldest = SDKVersion(9, 6, 6)

    private static let longest = 64

    private let numbers: [Int]

    private init(_ numbers: Int...) { self.numbers = numbers }

    /// Reads a received version, `9.6.6` or `9.6.6-beta`; `nil` if it has another form, as of a client that is not that
    /// SDK.
    init?(_ received: WireText) {
        guard let text = received.visibleASCII(atMost: Self.longest) else { return nil }
        let parts = text.utf8.prefix { $0 != UInt8(ascii: "-") }
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            (1...6).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
                ? Int(Substring(part)) : nil
        }
        guard numbers.count == 3, parts.count == 3 else { return nil }
        self.numbers = numbers
    }

    /// The version with dots.
    var text: String { numbers.map { String($0) }.joined(separator: ".") }

    static func < (left: SDKVersion, right: SDKVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
