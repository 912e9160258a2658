// SPDX-License-Identifier: Apache-2.0

package import Logging
package import OIDCBrokerPages

/// A log line, or, without a login, the last one of its kind if it is omitted.
package struct ReferencedLine {
    /// The reference for a page.
    package let reference: PageReference
    /// Whether it is written.
    package let action: RepeatedEvents.Action

    /// Creates a line.
    package init(reference: PageReference, action: RepeatedEvents.Action) {
        self.reference = reference
        self.action = action
    }

    /// Whether the line is written.
    package var isWritten: Bool { action != .leaveOut }

    /// The number of similar lines that were omitted since the last one.
    package var leftOut: Int {
        if case .write(let leftOut) = action { leftOut } else { 0 }
    }

    /// What the line says about omitted lines.
    package var repetition: Logger.Metadata { leftOut > 0 ? ["auth.repeated": "\(leftOut)"] : [:] }

    /// What the line says about itself and omitted lines; `nil` if it is omitted.
    package var metadata: Logger.Metadata? {
        switch action {
        case .leaveOut: nil
        case .write(leftOut: 0): ["auth.reference": "\(reference)"]
        case .write(let leftOut): ["auth.reference": "\(reference)", "auth.repeated": "\(leftOut)"]
        }
    }
}
