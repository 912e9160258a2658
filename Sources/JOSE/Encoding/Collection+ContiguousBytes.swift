// SPDX-License-Identifier: Apache-2.0

extension Collection where Element == UInt8 {
    /// Calls `body` with the bytes as one block of memory, copying them first only where they are not one already.
    @inlinable
    package func withContiguousBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        if let result = try withContiguousStorageIfAvailable(body) {
            return result
        }
        return try Array(self).withUnsafeBufferPointer(body)
    }
}
