// SPDX-License-Identifier: Apache-2.0

/// Comparison in a time that does not depend on where two secrets differ. Their lengths are not secret.
package enum ConstantTime {
    /// Whether both have the same bytes.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                difference(left, right) == 0
            }
        }
    }

    /// Whether both have the same bytes.
    package static func equal(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.withContiguousBytes { left in
            right.withContiguousBytes { right in
                difference(left, right) == 0
            }
        }
    }

    /// Whether both texts consist of the same code points, without the Unicode equivalence of `==`.
    package static func equal(_ left: String, _ right: String) -> Bool {
        equal(left.utf8, right.utf8)
    }

    /// Never inlined, so that the optimizer cannot leave the loop early because a caller compares the result with zero.
    @inline(never)
    private static func difference(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> UInt8 {
        guard left.count == right.count else { return 1 }
        var difference: UInt8 = 0
        for position in 0..<left.count {
            difference |= left[position] ^ right[position]
        }
        return difference
    }
}
