// SPDX-License-Identifier: Apache-2.0

import JOSE

// Responses that say little.
extension ToolkitResponse {
    /// The response to a deletion.
    static let deleted = ToolkitResponse(["kind": "identitytoolkit#DeleteAccountResponse"])

    /// The response to a revocation.
    static let revoked = ToolkitResponse(JSONObject())

    /// The response about the owner of an address, in which the SDKs find no way to sign in, whoever it is.
    /// - Parameter sessionID: A random text.
    static func authURI(sessionID: String) -> ToolkitResponse {
        ToolkitResponse(["kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .string(sessionID)])
    }
}
