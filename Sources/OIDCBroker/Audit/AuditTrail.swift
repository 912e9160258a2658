// SPDX-License-Identifier: Apache-2.0

import Logging

/// The audit of a broker: one line for each event. Only of requests over a limit some are left out. Without a logger,
/// events are not even made.
struct AuditTrail: Sendable {
    private let logger: Logger?
    private let handler: (any AuditEventHandler)?

    /// - Parameter logger: The logger, whose label is `auth.audit` by convention; `nil` for no audit.
    init(_ logger: Logger?) {
        self.logger = logger
        handler = logger?.handler as? any AuditEventHandler
    }

    /// Whether events are written, for callers whose events take work.
    var isOn: Bool { logger != nil }

    /// Writes an event.
    func record(_ event: @autoclosure () -> AuditEvent) {
        guard let logger else { return }
        let made = event()
        if let handler, handler.write(made) { return }
        logger.notice("\(made.kind.rawValue)", metadata: made.metadata)
    }
}
