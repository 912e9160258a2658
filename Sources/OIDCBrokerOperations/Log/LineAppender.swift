// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Appends whole lines to something that may take a part of them. It completes a line whose writing stopped; where that
/// fails, it ends the torn line before the next one.
struct LineAppender: Sendable {
    /// Whether the output ends in a part of a line.
    private(set) var isTorn: Bool

    /// - Parameter isTorn: Whether the output ends in a part of a line.
    init(isTorn: Bool = false) {
        self.isTorn = isTorn
    }

    /// Appends lines by one call of `write`, or more where that writes a part.
    /// - Parameters:
    ///   - lines: Each ends in a line feed.
    ///   - write: Writes bytes from the first one on, and returns how many.
    mutating func append(
        _ lines: [[UInt8]], by write: (UnsafeRawBufferPointer) -> Result<Int, LogFailure>
    ) -> LogWriteResult {
        let prefix = isTorn ? 1 : 0
        var bytes: [UInt8] = []
        if prefix == 0, lines.count == 1 {
            // Nearly always; shared, not copied.
            bytes = lines[0]
        } else {
            bytes.reserveCapacity(lines.reduce(prefix) { $0 + $1.count })
            if prefix == 1 { bytes.append(UInt8(ascii: "\n")) }
            for line in lines { bytes.append(contentsOf: line) }
        }
        let (written, failure) = Self.writeAll(bytes, by: write)
        guard written > 0 else { return LogWriteResult(written: 0, failure: failure) }
        var rest = written - prefix
        var whole = 0
        for line in lines {
            guard rest >= line.count else { break }
            rest -= line.count
            whole += 1
        }
        isTorn = rest > 0
        return LogWriteResult(written: whole, failure: failure)
    }

    private static func writeAll(
        _ bytes: [UInt8], by write: (UnsafeRawBufferPointer) -> Result<Int, LogFailure>
    ) -> (written: Int, failure: LogFailure?) {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                switch write(UnsafeRawBufferPointer(rebasing: buffer[written...])) {
                case .success(let count) where count > 0: written += min(count, buffer.count - written)
                // A call that writes nothing and tells no error would be repeated for ever.
                case .success: return (written, LogFailure("write", EIO))
                case .failure(let failure): return (written, failure)
                }
            }
            return (written, nil)
        }
    }
}
