// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerPages
import Synchronization

/// A limit on the log lines that clients can cause: of each kind one line is written per second, and ten of successes. The
/// others are counted, and the next line of the kind reports their number.
package final class RepeatedEvents: Sendable {
    private let state = Mutex(StateMachine())

    /// Creates a limit that has let nothing through yet.
    package init() {}

    /// Records that a line is to be written.
    /// - Parameters:
    ///   - provider: The number of the provider; `nil` if there is none, or it is not known.
    ///   - login: The reference of the login; `nil` if there is none.
    ///   - now: The time of the wall clock, in seconds.
    /// - Returns: What to do, and the reference for a page: that of the login, or else of the last line that was written,
    ///   which may be this one.
    package func note(
        _ line: RepeatableEvent, at place: RepeatableEvent.Place, provider: UInt64?, login: PageReference? = nil,
        now: Int64
    ) -> (action: Action, reference: PageReference) {
        if let login {
            let action = state.withLock {
                $0.note(line, at: place, provider: provider, reference: login, isOfLogin: true, now: now)
            }
            return (action, login)
        }
        let reference = PageReference()
        return state.withLock { state in
            let action = state.note(line, at: place, provider: provider, reference: reference, now: now)
            return (action, state.reference(of: line, at: place, provider: provider) ?? reference)
        }
    }
}
