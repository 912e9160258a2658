// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The call `write(2)`.
enum DescriptorWrite {
    /// The time that a descriptor which does not block is waited for, in milliseconds: its reader is slow.
    static let patience: Int32 = 1_000
    /// How often it is waited for. A reader that takes little at a time, or another writer, can make several necessary.
    private static let mostWaits = 16

    /// Writes bytes, from the first one on.
    /// - Parameter patience: The time that a descriptor which does not block is waited for, in milliseconds.
    /// - Returns: The number of bytes that were written.
    static func some(
        of bytes: UnsafeRawBufferPointer, to descriptor: Int32, patience: Int32
    ) -> Result<Int, LogFailure> {
        var waits = 0
        while true {
            let count = write(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return .success(count) }
            let number = errno
            switch number {
            case EINTR: continue
            case EAGAIN where waits < mostWaits && isWritable(descriptor, within: patience): waits += 1
            default: return .failure(LogFailure("write", number))
            }
        }
    }

    /// Waits until a descriptor takes bytes, or its reader is gone.
    private static func isWritable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
