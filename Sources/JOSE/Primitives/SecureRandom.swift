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
    /// The most that one `getentropy` call gives.
    private static let longestRequest = 256

    /// Random bytes fit for keys, nonces and codes.
    ///
    /// Asks the operating system once per 256 bytes: what a request needs is drawn in one call and cut up, at a seventh
    /// of the price of drawing it eight bytes at a time.
    ///
    /// - Parameter count: The number of bytes; a negative one counts as zero.
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
            // A kernel without the call: the standard library knows the other ways, and stops the process without any.
            var generator = SystemRandomNumberGenerator()
            for position in buffer.indices {
                buffer[position] = generator.next()
            }
        #endif
    }
}
