// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A response, without the fields that every response of the server has.
struct ToolkitResponse: Sendable, Hashable {
    /// The HTTP status.
    let status: Int
    /// The value of the Content-Type field.
    let contentType: String
    /// The body, which may be empty.
    let body: [UInt8]
    /// The value of the Retry-After field in seconds; `nil` if there is none.
    let retryAfter: Int?
    /// Whether a credential is handed back that signed nobody in.
    private(set) var isConflict = false

    /// Whether it is trouble of this server or of a provider.
    var isTrouble: Bool { status == 503 }

    private init(status: Int, contentType: String, body: [UInt8], retryAfter: Int?) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.retryAfter = retryAfter
    }

    /// Creates the response to a request that succeeded.
    init(_ members: JSONObject) {
        self.init(status: 200, contentType: "application/json", body: members.serialized(), retryAfter: nil)
    }

    /// Returns the response that hands a credential back. Its status is that of a success, as the SDKs expect.
    static func conflict(_ response: CredentialConflictResponse) -> ToolkitResponse {
        var conflict = ToolkitResponse(response.members)
        conflict.isConflict = true
        return conflict
    }

    /// Creates the response to a request that was refused.
    ///
    /// Too many attempts are trouble for the operations that an SDK calls while a page loads: any JSON error there
    /// signs the person out.
    init(_ error: ToolkitError, for operation: ToolkitOperation) {
        let isTrouble = error.code == .tooManyAttempts && (operation == .lookup || operation == .token)
        self = isTrouble ? .trouble() : .refusal(error)
    }

    /// Returns the response to a request that was refused, whoever sent it.
    static func refusal(_ error: ToolkitError) -> ToolkitResponse {
        ToolkitResponse(
            status: error.status, contentType: "application/json", body: error.envelope, retryAfter: nil)
    }

    /// Trouble of this server or of a provider: an empty 503 of type text/plain. The SDKs take it for a network error,
    /// and the person stays signed in; a body that is JSON would not do.
    /// - Parameter retryAfter: When to try again, in seconds.
    static func trouble(retryAfter: Int = 5) -> ToolkitResponse {
        ToolkitResponse(status: 503, contentType: "text/plain", body: [], retryAfter: retryAfter)
    }
}
