// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Random bytes from the operating system.
package enum SecureRandom {
    /// The maximum number of bytes that one `getentropy` call returns.
    private static let longestRequest = 256

    /// Returns random bytes for keys, nonces and codes.
    ///
    /// It makes one system call per 256 bytes, so drawing all random bytes of a request at once and splitting them is
    /// cheaper than drawing them one by one.
    ///
    /// - Parameter count: The number of bytes; a negative number counts as zero.
    package static func bytes(_ count: Int) -> [UInt8] {
        let count = max(count, 0)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            if let start = buffer.baseAddress {
                var filled = 0
                while filled < count {
                    let length = min(count - filled, longestRequest)
                    fill(UnsafeMutableBufferPointer(start: start + filled, count: length))
                    filled += length
                }
            }
            initializedCount = count
        }
    }

    private static func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        #if canImport(Darwin)
            arc4random_buf(buffer.baseAddress, buffer.count)
        #else
            if getentropy(buffer.baseAddress, buffer.count) == 0 {
                return
            }
            // A kernel without this call. The generator of the standard library has fallbacks, and stops the process if
            // there are none.
            var generator = SystemRandomNumberGenerator()
            for position in buffer.indices {
                buffer[position] = generator.next()
            }
        #endif
    }
}
