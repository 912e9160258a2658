// SPDX-License-Identifier: Apache-2.0

import Logging

/// A log line, or, without a login, the last one of its kind if it is omitted.
struct ReferencedLine {
    /// The reference for a page.
    let reference: PageReference
    /// Whether it is written.
    let action: RepeatedLines.Action

    /// What the line says about itself and omitted lines; `nil` if it is omitted.
    var metadata: Logger.Metadata? {
        switch action {
        case .leaveOut: nil
        case .write(leftOut: 0): ["auth.reference": "\(reference)"]
        case .write(let leftOut): ["auth.reference": "\(reference)", "auth.repeated": "\(leftOut)"]
        }
    }
}
