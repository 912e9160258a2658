// SPDX-License-Identifier: Apache-2.0

#if Server
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Input from another program or a person.
    enum StandardInput {
        /// Reads standard input to its end.
        /// - Returns: `nil` if there are more bytes than allowed, or if they cannot be read.
        static func read(atMost maximum: Int) -> [UInt8]? {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 16_384)
            while bytes.count <= maximum {
                let count = piece.withUnsafeMutableBytes { systemRead($0) }
                if count == 0 { return bytes }
                if count < 0 {
                    guard errno == EINTR else { return nil }
                    continue
                }
                bytes.append(contentsOf: piece.prefix(count))
            }
            return nil
        }

        private static func systemRead(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            #if canImport(Darwin)
                Darwin.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
                Musl.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            #else
                Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            #endif
        }
    }
#endif
