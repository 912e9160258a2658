// SPDX-License-Identifier: Apache-2.0

/// A person after an app came from another team, as this team knows them.
public struct AppleTransferredUser: Sendable, Hashable {
    /// `sub` of this team's ID tokens from now on.
    public let subject: String
    /// The e-mail address; a relay address is another than it was with the old team. `nil` if Apple gives none.
    public let email: String?
    /// Whether that address hides the person's own; `nil` if Apple does not say.
    public let isPrivateEmail: Bool?

    package init(subject: String, email: String?, isPrivateEmail: Bool?) {
        self.subject = subject
        self.email = email
        self.isPrivateEmail = isPrivateEmail
    }
}
