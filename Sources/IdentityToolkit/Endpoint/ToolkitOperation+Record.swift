// SPDX-License-Identifier: Apache-2.0

import Accounts
import OIDCBroker
import OIDCBrokerRecords
import OIDCBrokerState

// What an operation of the SDKs is counted and audited by.
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
    /// The user, as the `sub` of the broker's own tokens.
    var brokerSubject: String { SubjectIdentifier.derive(issuer: key.issuer, subject: key.subject) }
}
