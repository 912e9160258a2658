// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The limit of the system on the files that this process may have open (`RLIMIT_NOFILE`). Each connection is one.
package enum OpenFileLimit {
    /// The number of open files that are kept for connections to providers, the store, the log and the event loops.
    static let reserve = 512

    /// Raises the limit as far as the process may (the soft limit to the hard one). It is called once, while the
    /// process starts: an embedding server's limit is its own.
    /// - Returns: The limit from now on.
    @discardableResult
    package static func raise() -> Int {
        guard var limit = read() else { return .max }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            // A system may have a further bound of its own. Then the limit stays as it is.
            _ = setrlimit(resource, &limit)
        }
        return current
    }

    /// The limit in force; the maximum of `Int` if it is not known or there is none.
    package static var current: Int { read().map { Int(clamping: $0.rlim_cur) } ?? .max }

    /// Returns the number of files that are kept for the connections to another listener: a quarter at most, so that a low
    /// limit leaves something to each listener.
    /// - Parameters:
    ///   - files: The limit.
    ///   - wanted: The number of connections that it may have at most.
    static func places(of files: Int, wanted: Int) -> Int {
        min(wanted, max(1, files / 4))
    }

    /// Returns the number of connections for which a limit on open files leaves room, at least 1.
    /// - Parameters:
    ///   - files: The limit.
    ///   - places: The number of files that are kept for the connections to another listener, see
    ///     ``places(of:wanted:)``.
    static func connections(of files: Int, keeping places: Int = 0) -> Int {
        max(1, files - min(reserve, files / 4) - places)
    }

    /// Returns the warning for an operator whose configuration allows more connections than there is room for; `nil` if
    /// it does not.
    static func warning(configured: Int, files: Int, keeping places: Int = 0) -> String? {
        let room = connections(of: files, keeping: places)
        guard configured > room else { return nil }
        return
            "server.maximum-connections is \(configured), but the process may open \(files) files only (ulimit -n): at "
            + "most \(room) connections are accepted."
    }

    private static func read() -> rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
