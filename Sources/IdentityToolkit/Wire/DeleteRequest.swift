// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A request to delete the account of a session.
struct DeleteRequest: Sendable {
    /// The ID token of the session.
    let idToken: String
    /// The account that the client means, which the SDK for Apple's systems adds; `nil` if it says nothing. It decides
    /// nothing: the account is that of the session.
    let localID: WireText?

    init(_ body: ToolkitBody) throws(ToolkitError) {
        try body.refuseTenant()
        idToken = try body.requiredSessionToken()
        localID = try body.text(.localId)
    }
}
