// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A request for the ways in which the owner of an email signs in. The email is required and not kept, since the
/// response is the same for each.
struct CreateAuthURIRequest: Sendable {
    /// What the client gets back; `nil` if it sent nothing.
    let sessionID: WireText?

    init(_ body: ToolkitBody) throws(ToolkitError) {
        try body.refuseTenant()
        guard try body.text(.providerId) == nil else {
            throw ToolkitError(.operationNotAllowed, "A sign-in at a provider starts at the handler page.")
        }
        guard try body.text(.identifier) != nil else { throw ToolkitError(.missingIdentifier) }
        sessionID = try body.text(.sessionId)
    }
}
