// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
    import Foundation

    /// The server of tests of stores (Debian's packages `redis-server` and `redis-sentinel`).
    package enum RedisInstallation {
        /// Whether tests that need it run: where it is installed, and in CI always, where its absence is a failure.
        package static let isRequired =
            FileManager.default.isExecutableFile(atPath: "/usr/bin/redis-server")
            || ProcessInfo.processInfo.environment["CI"] == "true"
    }
#endif
