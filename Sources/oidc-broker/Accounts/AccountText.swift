// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import JOSE

    /// Accounts as text for an operator.
    enum AccountText {
        /// One line, its fields separated by tabs.
        static func line(_ account: Account, _ identities: [AccountIdentity]) -> String {
            [
                account.id.description, state(account), account.email?.text ?? "-",
                identities.map(\.verified.providerID).joined(separator: ","),
            ].joined(separator: "\t")
        }

        /// Everything, a line for each thing.
        static func page(
            _ account: Account, _ identities: [AccountIdentity], _ sessions: [AccountSession]
        ) -> String {
            var lines = [
                "uid: \(account.id)", "state: \(state(account))",
                "created: \(UTCTime.text(account.createdAt))", "last sign-in: \(UTCTime.text(account.lastSignInAt))",
                "last refresh: \(account.lastRefreshAt.map(UTCTime.text) ?? "-")",
                "valid since: \(UTCTime.text(account.validSince))",
                "name: \(account.displayName.map { $0.utf8.contains(0x0A) ? quoted($0) : $0 } ?? "-")",
                "photo: \(account.photoURL ?? "-")",
                "email: \(account.email.map { "\($0.text) (\(account.isEmailVerified ? "verified" : "not verified"))" } ?? "-")",
                "custom claims: \(account.customClaims?.json ?? "-")",
            ]
            if let imported = account.imported { lines.append("imported: \(quoted(imported.json))") }
            for identity in identities {
                let verified = identity.verified
                lines.append(
                    "identity: \(verified.providerID), issuer \(quoted(verified.key.issuer)), "
                        + "subject \(quoted(verified.key.subject)), "
                        + "linked \(UTCTime.text(identity.createdAt)), last used \(UTCTime.text(identity.lastUsedAt))")
            }
            for session in sessions {
                lines.append(
                    "session: \(text(of: session.id)), \(session.providerID), \(kind(of: session)) \(session.app ?? "-"), "
                        + "began \(UTCTime.text(session.createdAt)), "
                        + "authenticated \(UTCTime.text(session.authTime)), expires \(UTCTime.text(session.expiry))")
            }
            return lines.joined(separator: "\n") + "\n"
        }

        /// An account in a few words: its identifier, its email and how much belongs to it.
        static func summary(
            _ account: Account, _ identities: [AccountIdentity], _ sessions: [AccountSession]
        ) -> String {
            let email = account.email.map { " of \($0.text)" } ?? ""
            return "account \(account.id)\(email) with \(count(identities.count, "identity", "identities")) and "
                + count(sessions.count, "session", "sessions")
        }

        private static func count(_ number: Int, _ one: String, _ several: String) -> String {
            "\(number) \(number == 1 ? one : several)"
        }

        private static func state(_ account: Account) -> String { account.isDisabled ? "disabled" : "enabled" }

        /// The identifier of a session as its tokens have it, in base64url.
        static func text(of session: AccountSession.ID) -> String { Base64URL.encode(session.bytes) }

        /// What the app of a session is, which has its own names on each wire.
        private static func kind(of session: AccountSession) -> String {
            switch session.wire {
            case .sdk: "app"
            case .app: "client"
            }
        }

        /// The session that a text names; `nil` if it names none.
        static func session(_ text: String) -> AccountSession.ID? {
            Base64URL.decode(text).flatMap { AccountSession.ID(bytes: $0) }
        }

        /// A text of a provider, whose control characters must not reach a terminal.
        private static func quoted(_ text: String) -> String { text.debugDescription }

        // MARK: JSON

        /// The members of a line.
        static func json(_ account: Account, _ identities: [AccountIdentity]) -> JSONObject {
            [
                "uid": .string(account.id.text), "state": .string(state(account)), "email": text(account.email?.text),
                "providers": .array(identities.map { .string($0.verified.providerID) }),
            ]
        }

        /// Everything as an object. Times are in ISO 8601.
        static func json(
            _ account: Account, _ identities: [AccountIdentity], _ sessions: [AccountSession]
        ) -> JSONObject {
            [
                "uid": .string(account.id.text), "state": .string(state(account)),
                "created": time(account.createdAt), "lastSignIn": time(account.lastSignInAt),
                "lastRefresh": account.lastRefreshAt.map(time) ?? .null, "validSince": time(account.validSince),
                "name": text(account.displayName), "photo": text(account.photoURL),
                "email": text(account.email?.text), "emailVerified": .bool(account.isEmailVerified),
                "customClaims": text(account.customClaims?.json),
                "identities": .array(
                    identities.map { identity in
                        .object([
                            "provider": .string(identity.verified.providerID),
                            "issuer": .string(identity.verified.key.issuer),
                            "subject": .string(identity.verified.key.subject),
                            "linked": time(identity.createdAt), "lastUsed": time(identity.lastUsedAt),
                        ])
                    }),
                "sessions": .array(
                    sessions.map { session in
                        .object([
                            "id": .string(text(of: session.id)), "provider": .string(session.providerID),
                            "app": text(session.app), "wire": .string(session.wire.name),
                            "began": time(session.createdAt),
                            "authenticated": time(session.authTime), "expires": time(session.expiry),
                        ])
                    }),
            ]
        }

        private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        private static func time(_ seconds: Int64) -> JSONValue { .string(UTCTime.text(seconds)) }
    }
#endif
