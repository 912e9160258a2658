// SPDX-License-Identifier: Apache-2.0

package import Logging
package import NIOCore

/// Logs that a store in memory has no room for an entry, at most once a minute for each of its parts.
package final class FullStoreLog: Sendable {
    private let logger: Logger
    private let setting: StaticString
    private let lines: [SingleUseStoreUsage.Kind: LogThrottle]

    /// Creates a log in which nothing was written yet.
    /// - Parameters:
    ///   - logger: Where it is logged.
    ///   - setting: The key of the configuration that sets the size of the store.
    package init(_ logger: Logger, setting: StaticString) {
        self.logger = logger
        self.setting = setting
        lines = Dictionary(uniqueKeysWithValues: SingleUseStoreUsage.Kind.allCases.map { ($0, LogThrottle()) })
    }

    /// Logs that a part is full, unless that was logged within the last minute.
    package func record(_ part: SingleUseStoreUsage.Kind, at now: NIODeadline) {
        guard let line = lines[part], line.isDue(at: now) else { return }
        logger.error(
            "store full: sign-ins fail until entries expire",
            metadata: ["auth.detail": "\(part.rawValue)", "auth.key": "\(setting)"])
    }
}
