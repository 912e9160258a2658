// SPDX-License-Identifier: Apache-2.0

import Logging

extension Logger {
    /// A logger that discards everything.
    static var quiet: Logger { Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() } }
}
