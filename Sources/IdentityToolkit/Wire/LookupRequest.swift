// SPDX-License-Identifier: Apache-2.0

/// A request for the account of a session.
struct LookupRequest: Sendable {
    /// The ID token of the session.
    let idToken: String

    init(_ body: ToolkitBody) throws(ToolkitError) {
        try body.refuseTenant()
        idToken = try body.requiredSessionToken()
    }
}
