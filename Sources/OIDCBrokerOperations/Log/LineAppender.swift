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
    private(set) var isTorn = false

    /// Appends lines by one call of `write`, or more where that writes a part.
    /// - Parameter write: Writes bytes from the first one on, and returns how many.
    mutating func append(
        _ lines: LineBatch, by write: (UnsafeRawBufferPointer) -> Result<Int, LogFailure>
    ) -> LogWriteResult {
        // Nearly always the bytes as they are, shared and not copied.
        let prefix = isTorn ? [UInt8(ascii: "\n")] : []
        let (written, failure) = Self.writeAll(prefix.isEmpty ? lines.bytes : prefix + lines.bytes, by: write)
        guard written > 0 else { return LogWriteResult(written: 0, failure: failure) }
        let ofLines = written - prefix.count
        let whole = lines.wholeLines(in: ofLines)
        isTorn = ofLines > lines.end(of: whole)
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
