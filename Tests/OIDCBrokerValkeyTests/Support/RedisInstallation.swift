// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The server of these tests (Debian's packages `redis-server` and `redis-sentinel`).
enum RedisInstallation {
    /// Whether tests that need it run: where it is installed, and in CI always, where its absence is a failure.
    static let isRequired =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/redis-server")
        || ProcessInfo.processInfo.environment["CI"] == "true"
}
