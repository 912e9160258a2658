// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import JOSE

    /// Accounts as text for an operator.
    enum AccountText {
        /// One line, its fields separated by tabs.
        static func line(_ account: Account, _ identities: [AccountIdentity]) -> String {
            [
                account.id.description, account.isDisabled ? "disabled" : "enabled", account.email?.text ?? "-",
                identities.map(\.verified.providerID).joined(separator: ","),
            ].joined(separator: "\t")
        }

        /// Everything, a line for each thing. Times are in seconds since 1970, as the store has them.
        static func page(
            _ account: Account, _ identities: [AccountIdentity], _ sessions: [AccountSession]
        ) -> String {
            var lines = [
                "uid: \(account.id)", "state: \(account.isDisabled ? "disabled" : "enabled")",
                "created: \(account.createdAt)", "last sign-in: \(account.lastSignInAt)",
                "last refresh: \(account.lastRefreshAt.map(String.init) ?? "-")", "valid since: \(account.validSince)",
                "name: \(account.displayName.map { $0.utf8.contains(0x0A) ? quoted($0) : $0 } ?? "-")",
                "photo: \(account.photoURL ?? "-")",
                "e-mail: \(account.email.map { "\($0.text) (\(account.isEmailVerified ? "verified" : "not verified"))" } ?? "-")",
                "custom claims: \(account.customClaims?.json ?? "-")",
            ]
            if let imported = account.imported { lines.append("imported: \(quoted(imported.json))") }
            for identity in identities {
                let verified = identity.verified
                lines.append(
                    "identity: \(verified.providerID), issuer \(quoted(verified.key.issuer)), "
                        + "subject \(quoted(verified.key.subject)), "
                        + "linked \(identity.createdAt), last used \(identity.lastUsedAt)")
            }
            for session in sessions {
                lines.append(
                    "session: \(text(of: session.id)), \(session.providerID), app \(session.app ?? "-"), began \(session.createdAt), "
                        + "authenticated \(session.authTime), expires \(session.expiry)")
            }
            return lines.joined(separator: "\n") + "\n"
        }

        /// The identifier of a session as its tokens have it, in base64url.
        static func text(of session: AccountSession.ID) -> String { Base64URL.encode(session.bytes) }

        /// The session that a text names; `nil` if it names none.
        static func session(_ text: String) -> AccountSession.ID? {
            Base64URL.decode(text).flatMap { AccountSession.ID(bytes: $0) }
        }

        /// A text of a provider, whose control characters must not reach a terminal.
        private static func quoted(_ text: String) -> String { text.debugDescription }
    }
#endif
