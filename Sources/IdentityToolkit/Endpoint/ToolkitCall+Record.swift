// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore
import OIDCBroker

// What is counted and audited of the operations on accounts.
extension ToolkitCall {
    /// Counts a response, and audits one that changed nothing: it is not known whose account it would have been.
    func record(_ response: ToolkitResponse, _ error: (any Error)? = nil) {
        let outcome = AccountOperationOutcome(response, error)
        broker.count(operation.label, outcome)
        guard outcome != .succeeded, let event = operation.event else { return }
        broker.audit(event, outcome, app: app.name)
    }

    /// Audits a change that was made.
    func audit(
        _ event: AuditEvent.Kind, provider: String? = nil, subject: @autoclosure () -> String? = nil,
        of account: AccountID
    ) {
        broker.audit(
            event, .succeeded, provider: provider, app: app.name, subject: subject(), account: account.text)
    }
}

extension AccountOperationOutcome {
    /// How an operation ended.
    /// - Parameters:
    ///   - response: The response.
    ///   - error: The error that it is about; `nil` if there was none.
    init(_ response: ToolkitResponse, _ error: (any Error)?) {
        if (error as? ToolkitError)?.code == .tooManyAttempts {
            self = .limited
        } else if response.isConflict {
            self = .conflict
        } else if response.isTrouble {
            self = .unavailable
        } else {
            self = response.status == 200 ? .succeeded : .refused
        }
    }
}

extension ToolkitOperation {
    /// The label of the counter.
    var label: String {
        switch self {
        case .signInWithIdp: "sign_in"
        case .lookup: "lookup"
        case .update: "update"
        case .delete: "delete"
        case .createAuthUri: "create_auth_uri"
        case .project: "project"
        case .revokeToken: "revoke"
        case .token: "refresh"
        case .unsupported: "unsupported"
        }
    }

    /// The audit event; `nil` for an operation that changes nothing of who may sign in.
    var event: AuditEvent.Kind? {
        switch self {
        case .signInWithIdp: .accountSignIn
        case .delete: .accountDelete
        case .revokeToken: .accountRevoke
        case .lookup, .update, .createAuthUri, .project, .token, .unsupported: nil
        }
    }
}

extension VerifiedIdentity {
    /// The person, as the `sub` of the broker's own tokens.
    var brokerSubject: String { SubjectIdentifier.derive(issuer: key.issuer, subject: key.subject) }
}
