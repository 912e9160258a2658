// SPDX-License-Identifier: Apache-2.0

package import Logging

/// The audit of a broker: one line for each event. Only of those that anybody can cause, who is known by no login and no
/// authentication, some are left out. Without a logger, events are not even made.
package struct AuditTrail: Sendable {
    private let logger: Logger?
    private let handler: (any AuditEventHandler)?

    /// - Parameter logger: The logger, whose label is `auth.audit` by convention; `nil` for no audit.
    package init(_ logger: Logger?) {
        self.logger = logger
        handler = logger?.handler as? any AuditEventHandler
    }

    /// Whether events are written, for callers whose events take work.
    package var isOn: Bool { logger != nil }

    /// Writes an event.
    /// - Parameters:
    ///   - event: The event, which is made only if it is written.
    ///   - line: The line in the log of what anybody can cause: the event is written only together with it, one a second,
    ///     and says how many were left out. So strangers fill neither the disk nor the queue, and push out nothing of the
    ///     sign-ins. `nil` for an event that is written in any case.
    package func record(_ event: @autoclosure () -> AuditEvent, with line: ReferencedLine? = nil) {
        guard let logger else { return }
        var leftOut = 0
        switch line?.action {
        case .leaveOut?: return
        case .write(let number)?: leftOut = number
        case nil: break
        }
        var made = event()
        made.leftOut = leftOut
        if let handler, handler.write(made) { return }
        logger.notice("\(made.kind.rawValue)", metadata: made.metadata)
    }
}
