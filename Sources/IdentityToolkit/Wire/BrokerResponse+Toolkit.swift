// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP

// The responses of the wire.
extension BrokerResponse {
    /// Whether it is a failure of this server or of a provider.
    var isUnavailable: Bool { head.status.code == 503 }

    private init(status: Int, contentType: String, body: [UInt8]) {
        self = .plain(status: HTTPResponse.Status(code: status), "")
        head.headerFields[.contentType] = contentType
        self.body = ByteBuffer(bytes: body)
    }

    /// Creates the response to a request that succeeded.
    init(_ members: JSONObject) {
        self.init(status: 200, contentType: "application/json", body: members.serialized())
    }

    /// The response to a deletion.
    static let deleted = BrokerResponse(["kind": "identitytoolkit#DeleteAccountResponse"])

    /// The response to a revocation.
    static let revoked = BrokerResponse(JSONObject())

    /// The response about the owner of an email. It is the same for all emails, and the SDKs find no way to sign in in
    /// it.
    /// - Parameter sessionID: What the client sent, or a random text.
    static func authURI(sessionID: WireText) -> BrokerResponse {
        BrokerResponse(["kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .text(sessionID)])
    }

    /// Creates the response to a request that was refused.
    ///
    /// Too many attempts are a failure of this server for the operations that an SDK calls while a page loads: any JSON
    /// error there signs the user out.
    init(_ error: ToolkitError, for operation: ToolkitOperation) {
        let isUnavailable = error.code == .tooManyAttempts && (operation == .lookup || operation == .token)
        self = isUnavailable ? .unavailable() : .refusal(error)
    }

    /// Returns the response to a request that was refused, the same for every client.
    static func refusal(_ error: ToolkitError) -> BrokerResponse {
        BrokerResponse(status: error.status, contentType: "application/json", body: error.envelope)
    }

    /// A failure of this server or of a provider: an empty 503 of type text/plain. The SDKs take it for a network
    /// error, and the user stays signed in; a body that is JSON would not do.
    /// - Parameter retryAfter: When to try again, in seconds.
    static func unavailable(retryAfter: Int = 5) -> BrokerResponse {
        var response = BrokerResponse(status: 503, contentType: "text/plain", body: [])
        response.head.headerFields[.retryAfter] = String(retryAfter)
        return response
    }

    /// Creates the response to an error of what was called.
    init(error: any Error, in operation: ToolkitOperation) {
        switch error {
        // Its status is that of a success, as the SDKs expect.
        case let conflict as CredentialConflict: self.init(conflict.members)
        case let error as ToolkitError: self.init(error, for: operation)
        case let refusal as AccountRefusal where refusal.code == .blocked:
            self.init(ToolkitError(.blockingFunctionErrorResponse, refusal.blockingReason), for: operation)
        case let refusal as AccountRefusal: self.init(ToolkitError(refusal.code, in: operation), for: operation)
        // It is about the token that the client sent. Where none could be made, the error is another one.
        case let error as AccountTokenError:
            switch error.code.value {
            case .expired: self.init(ToolkitError(.tokenExpired), for: operation)
            // The clock of the server that made it is ahead, which passes.
            case .notYetValid: self = .unavailable()
            case .tooLong, .malformed, .algorithm, .unknownKey, .signature, .issuer, .audience, .claim, .mismatch:
                self.init(ToolkitError(.invalidIDToken), for: operation)
            }
        // Everything else is a failure of this server, which signs no user out.
        default: self = .unavailable()
        }
    }
}
