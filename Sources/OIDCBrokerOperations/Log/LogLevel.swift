// SPDX-License-Identifier: Apache-2.0

package import Logging
import Synchronization

/// The minimum level of the lines that are written. All loggers of one ``MainLog`` share it, and a reload of the
/// configuration changes it for all of them at once.
package final class LogLevel: Sendable {
    private let rank: Atomic<UInt8>

    /// Creates a level.
    package init(_ level: Logger.Level) {
        rank = Atomic(level.rank)
    }

    /// The level now.
    package var current: Logger.Level { Logger.Level(rank: rank.load(ordering: .relaxed)) }

    /// Changes the level of all loggers, those that exist included.
    package func change(to level: Logger.Level) {
        rank.store(level.rank, ordering: .relaxed)
    }
}

extension Logger.Level {
    fileprivate var rank: UInt8 {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        case .critical: 6
        }
    }

    fileprivate init(rank: UInt8) {
        switch rank {
        case 0: self = .trace
        case 1: self = .debug
        case 2: self = .info
        case 3: self = .notice
        case 4: self = .warning
        case 5: self = .error
        default: self = .critical
        }
    }
}
