// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A pipe of the system, closed when it is not used any more.
final class LogPipe: Sendable {
    /// A call that failed.
    struct Failure: Error {
        let number: Int32
    }

    let writer: Int32
    private let reader: Int32
    /// Whether the end for reading is open.
    private let isOpen: Bool

    /// - Parameters:
    ///   - hasReader: Whether the end for reading is open.
    ///   - isBlocking: Whether a write waits for room.
    init(hasReader: Bool = true, isBlocking: Bool = true) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(number: errno) }
        (reader, writer, isOpen) = (ends[0], ends[1], hasReader)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        if !isBlocking { _ = fcntl(writer, F_SETFL, fcntl(writer, F_GETFL) | O_NONBLOCK) }
        if !hasReader { close(reader) }
    }

    deinit {
        if isOpen { close(reader) }
        close(writer)
    }

    /// Reads what there is.
    /// - Parameter milliseconds: How long to wait for the first byte.
    /// - Returns: The bytes; none if nothing came.
    func some(within milliseconds: Int32) -> [UInt8] {
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return [] }
        let most = 65_536
        var bytes = [UInt8](repeating: 0, count: most)
        let count = read(reader, &bytes, most)
        return Array(bytes.prefix(max(0, count)))
    }
}
