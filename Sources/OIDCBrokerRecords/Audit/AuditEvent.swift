// SPDX-License-Identifier: Apache-2.0

package import Admission
package import Logging
package import OIDCBrokerPages

/// Something that happened, for the audit. It names nothing that a client sent: no code, token or address of a user,
/// and of the user only the broker's own `sub` and the identifier of the account.
package struct AuditEvent: Sendable, Hashable {
    /// The kinds of events. The list is closed; the raw value is the message of the line.
    package enum Kind: String, Sendable, CaseIterable {
        /// An app, or an embedding server, began a sign-in or tried to.
        case start
        /// A provider sent a browser back, or a user continued to an app.
        case callback
        /// An app redeemed a code.
        case redeemed
        /// An app refreshed its tokens, or presented a refresh token again that had been replaced.
        case refreshed
        /// A request of an app was refused, or could not be answered.
        case refused
        /// An app presented a credential.
        case credential
        /// A revocation was asked for.
        case revoked
        /// A provider sent a notification.
        case notification
        /// A request was over a limit.
        case limited
        /// The configuration was replaced, or could not be.
        case reload
        /// Keys were replaced.
        case keysChanged = "keys_changed"
        /// The server listens.
        case started
        /// The server has drained.
        case stopped
        /// A user signed in to an account.
        case accountSignIn = "account_sign_in"
        /// A user linked an identity to an account.
        case accountLink = "account_link"
        /// A user removed an identity from an account.
        case accountUnlink = "account_unlink"
        /// A user deleted an account.
        case accountDelete = "account_delete"
        /// A user revoked the grant of an identity at its provider.
        case accountRevoke = "account_revoke"
        /// An operator changed an account by the admin operations, or tried to.
        case accountAdminUpdate = "account_admin_update"
        /// An operator made an account by the admin operations, of a user of another system or without one, or tried to.
        case accountAdminCreate = "account_admin_create"
        /// An operator deleted an account by the admin operations, or tried to.
        case accountAdminDelete = "account_admin_delete"
    }

    /// What happened.
    package var kind: Kind
    /// How it ended: a name from a closed list.
    package var outcome: String
    /// The ID of the provider that clients know; `nil` if there is none.
    package var provider: String?
    /// The name of the app in the configuration; `nil` if there is none.
    package var app: String?
    /// The user, as the `sub` of the broker's own tokens; `nil` if it is not known.
    package var subject: String?
    /// The address of the client; `nil` if it is not known.
    package var client: IPAddress?
    /// The reference of the login, or of the page about what has none.
    package var reference: PageReference?
    /// The identifier of the account; `nil` if there is none.
    package var account: String?
    /// The number of similar events that were left out since the last one.
    package var leftOut = 0

    /// Creates an event.
    package init(
        _ kind: Kind, outcome: String, provider: String? = nil, app: String? = nil, subject: String? = nil,
        client: IPAddress? = nil, reference: PageReference? = nil, account: String? = nil
    ) {
        self.kind = kind
        self.outcome = outcome
        self.provider = provider
        self.app = app
        self.subject = subject
        self.client = client
        self.reference = reference
        self.account = account
    }

    /// The line's metadata, with the names that other lines of the broker have for the same.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        forEachMember { metadata[$0.description] = .string($1) }
        return metadata
    }

    /// Calls a body with the name and the text of each member of the line, in the order of the names' bytes.
    package func forEachMember(_ body: (_ name: StaticString, _ text: String) -> Void) {
        if let account { body("auth.account", account) }
        if let app { body("auth.app", app) }
        if let client { body("auth.client", client.description) }
        body("auth.outcome", outcome)
        if let provider { body("auth.provider", provider) }
        if let reference { body("auth.reference", reference.description) }
        if leftOut > 0 { body("auth.repeated", String(leftOut)) }
        if let subject { body("auth.sub", subject) }
    }
}

/// A handler of an audit that writes an event by itself, as an ``AccessLineHandler`` does with the line about a request.
package protocol AuditEventHandler: LogHandler {
    /// Writes an event, whose message is its kind.
    /// - Returns: Whether it did; otherwise it gets the metadata.
    func write(_ event: AuditEvent) -> Bool
}
