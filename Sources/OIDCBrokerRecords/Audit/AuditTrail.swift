// SPDX-License-Identifier: Apache-2.0

package import Logging
package import OpenIDRelyingParty
import Synchronization

/// The audit of a broker: one line for each event. Of those that a stranger can cause, some are left out. Without a
/// logger, events are not even made.
package final class AuditTrail: Sendable {
    private let logger: Logger?
    private let handler: (any AuditEventHandler)?
    private let clock: any UnixClock
    private let strangers = Mutex(StrangerLines())

    /// - Parameters:
    ///   - logger: The logger, whose label is `auth.audit` by convention; `nil` for no audit.
    ///   - clock: The clock of the seconds in which strangers' lines are bounded.
    package init(_ logger: Logger?, clock: any UnixClock = SystemUnixClock()) {
        self.logger = logger
        self.clock = clock
        handler = logger?.handler as? any AuditEventHandler
    }

    /// Whether events are written, for callers whose events take work.
    package var isOn: Bool { logger != nil }

    /// Writes an event. The lines of strangers' events (``AuditEvent/isOfStranger``) are bounded in bytes a second, and say
    /// how many were left out. So strangers fill neither the disk nor the queue, and push out nothing of the sign-ins.
    /// - Parameters:
    ///   - event: The event, which is made only if it may be written.
    ///   - line: The line in the log of an event that any client can cause: the event is written only together with it,
    ///     one a second. `nil` for an event that does not depend on one.
    package func record(_ event: @autoclosure () -> AuditEvent, with line: ReferencedLine? = nil) {
        guard let logger else { return }
        var leftOut = 0
        switch line?.action {
        case .leaveOut?: return
        case .write(let number)?: leftOut = number
        case nil: break
        }
        var made = event()
        if made.isOfStranger {
            guard let all = strangers.withLock({ $0.take(made, after: leftOut, now: clock.now()) }) else { return }
            leftOut = all
        }
        made.leftOut = leftOut
        if let handler, handler.write(made) { return }
        logger.notice("\(made.kind.rawValue)", metadata: made.metadata)
    }
}
