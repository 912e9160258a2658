// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerRecords

/// An operation on accounts for an operator, as the admin SDKs of Firebase call it.
enum AdminOperation: String, Sendable, Hashable, CaseIterable {
    /// Returns accounts by their identifiers, emails or identities.
    case lookup
    /// Changes an account.
    case update
    /// Deletes an account.
    case delete
    /// Makes an account.
    case create
    /// Takes users of another system.
    case batchCreate
    /// Deletes several accounts.
    case batchDelete
    /// Returns a page of the list of accounts.
    case batchGet
    /// Makes a session cookie of an ID token.
    case createSessionCookie
    /// Something else that the admin API has.
    case unsupported

    /// The end of its path, behind the ID of the project; `nil` for ``unsupported``, which has any other.
    var pathEnd: String? {
        switch self {
        case .create: "/accounts"
        case .createSessionCookie: ":createSessionCookie"
        case .unsupported: nil
        default: "/accounts:\(rawValue)"
        }
    }

    /// The HTTP method; `nil` for any.
    var method: String? {
        switch self {
        case .lookup, .update, .delete, .create, .batchCreate, .batchDelete, .createSessionCookie: "POST"
        case .batchGet: "GET"
        case .unsupported: nil
        }
    }

    /// The label of the counter.
    var label: String {
        switch self {
        case .lookup: "admin_lookup"
        case .update: "admin_update"
        case .delete: "admin_delete"
        case .create: "admin_create"
        case .batchCreate: "admin_batch_create"
        case .batchDelete: "admin_batch_delete"
        case .batchGet: "admin_batch_get"
        case .createSessionCookie: "admin_create_session_cookie"
        case .unsupported: "admin_unsupported"
        }
    }

    /// The audit event; `nil` for an operation that changes nothing.
    var event: AuditEvent.Kind? {
        switch self {
        case .update: .accountAdminUpdate
        case .delete, .batchDelete: .accountAdminDelete
        case .create, .batchCreate: .accountAdminCreate
        case .lookup, .batchGet, .createSessionCookie, .unsupported: nil
        }
    }
}
