// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerRecords

/// One request for an operation on accounts. The response, the count and the audit are the same for every client.
protocol AccountCall: Sendable {
    /// What may be used of the broker.
    var broker: BrokerAccess { get }
    /// The label of the counter.
    var label: String { get }
    /// The name by which a failure of the operation is logged.
    var failureName: String { get }
    /// The audit event; `nil` for an operation that changes nothing.
    var event: AuditEvent.Kind? { get }
    /// The name of the app that sent the request; `nil` for an operator.
    var appName: String? { get }

    /// Responds to a request that is not refused.
    /// - Throws: What is wrong with the request.
    func response(to request: BrokerRequest) throws(ToolkitError) -> EventLoopFuture<BrokerResponse>

    /// Returns the response to an error of the request, or of what was called.
    func response(to error: any Error) -> BrokerResponse
}

extension AccountCall {
    var eventLoop: any EventLoop { broker.eventLoop }

    /// Responds. The future does not fail.
    func respond(to request: BrokerRequest) -> EventLoopFuture<BrokerResponse> {
        do throws(ToolkitError) {
            return try response(to: request).map { response in
                record(response)
                return response
            }.recover { refuse($0) }
        } catch {
            return eventLoop.makeSucceededFuture(refuse(error))
        }
    }

    private func refuse(_ error: any Error) -> BrokerResponse {
        let response = response(to: error)
        // An error that the client gets by its code is not a failure of this server, even if the response looks like
        // one.
        if response.isUnavailable, !(error is ToolkitError) { broker.noteAccountFailure(in: failureName, error) }
        record(response, error)
        return response
    }

    /// Counts a response, and audits one that changed nothing: it is not known whose account it would have been.
    private func record(_ response: BrokerResponse, _ error: (any Error)? = nil) {
        let outcome = AccountOperationOutcome(response, error)
        broker.count(label, outcome)
        guard outcome != .succeeded, let event else { return }
        broker.audit(event, outcome, app: appName)
    }

    /// Audits a change that was made.
    func audit(
        _ event: AuditEvent.Kind, provider: String? = nil, subject: @autoclosure () -> String? = nil,
        of account: AccountID
    ) {
        broker.audit(event, .succeeded, provider: provider, app: appName, subject: subject(), account: account.text)
    }
}

extension AccountOperationOutcome {
    /// How an operation ended.
    /// - Parameters:
    ///   - response: The response.
    ///   - error: The error that it is about; `nil` if there was none.
    init(_ response: BrokerResponse, _ error: (any Error)?) {
        if (error as? ToolkitError)?.code == .tooManyAttempts {
            self = .limited
        } else if error is CredentialConflict {
            self = .conflict
        } else if response.isUnavailable {
            self = .unavailable
        } else {
            self = response.head.status.code == 200 ? .succeeded : .refused
        }
    }
}

extension BrokerAccess {
    /// Logs a failure for the operator, without details for the client.
    func noteAccountFailure(in operation: String, _ error: any Error) {
        // Errors of stores contain no content of a record.
        let description =
            (error as? AccountStoreError)?.description ?? (error as? AccountSigningError)?.description
            ?? (error as? NewAccountError)?.description
        noteFailure(in: operation, error, safeDescription: description)
    }
}
