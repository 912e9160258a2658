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

    /// What the line says about itself and omitted lines; `nil` if it is omitted.
    package var metadata: Logger.Metadata? {
        switch action {
        case .leaveOut: nil
        case .write(leftOut: 0): ["auth.reference": "\(reference)"]
        case .write(let leftOut): ["auth.reference": "\(reference)", "auth.repeated": "\(leftOut)"]
        }
    }
}
