// SPDX-License-Identifier: Apache-2.0

/// A person whose account was transferred from another team, as this team knows the person.
public struct AppleTransferredUser: Sendable, Hashable {
    /// The `sub` of this team's ID tokens from now on.
    public let subject: String
    /// The e-mail address; `nil` if Apple gives none. A relay address differs from the one that the old team had.
    public let email: String?
    /// Whether the address hides the person's own; `nil` if Apple does not specify it.
    public let isPrivateEmail: Bool?

    package init(subject: String, email: String?, isPrivateEmail: Bool?) {
        self.subject = subject
        self.email = email
        self.isPrivateEmail = isPrivateEmail
    }
}
