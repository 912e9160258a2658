// SPDX-License-Identifier: Apache-2.0

package import Logging

/// Where the lines about requests go: a logger, and its handler if that writes such a line by itself.
///
/// It is made once for a connection, since asking a handler whether it does costs as much as the line, and is a class, since
/// a copy of a handler for each line does too.
package final class AccessLog: Sendable {
    private let logger: Logger
    private let handler: (any AccessLineHandler)?

    /// - Parameter logger: The logger, whose label is `auth.access` by convention.
    package init(_ logger: Logger) {
        self.logger = logger
        handler = logger.handler as? any AccessLineHandler
    }

    /// Writes a line, at the level `info`.
    package func write(_ line: AccessLine) {
        guard logger.logLevel <= .info else { return }
        if let handler, handler.write(line) { return }
        logger.info(AccessLine.message, metadata: line.metadata)
    }
}

/// A handler of a log that writes the line about a request by itself. It is spared the dictionary that every other handler
/// gets, which costs more than the line.
package protocol AccessLineHandler: LogHandler {
    /// Writes a line, whose members have the names and the order of the metadata's names.
    /// - Returns: Whether it did; otherwise it gets the metadata.
    func write(_ line: AccessLine) -> Bool
}
