// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file of `/proc`, which has no size and gives a piece of itself at each read.
enum ProcessFile {
    /// The maximum number of bytes that are read of a file.
    private static let mostBytes = 1 << 20

    /// Returns the contents of a file, its first megabyte if it is longer; `nil` if it cannot be read.
    static func contents(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { _ = close(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < mostBytes {
            let count = block.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            guard count > 0 else { return nil }
            bytes.append(contentsOf: block[..<count])
        }
        return bytes
    }
}
