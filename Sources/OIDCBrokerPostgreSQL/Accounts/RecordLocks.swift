// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import JOSE

    /// Locks for the records that a transaction is about, which it takes before it begins.
    ///
    /// They are advisory locks of the session. Locks of a transaction would be taken after its snapshot, so that a
    /// transaction that waited for one would not see what it waited for. All transactions take them in the same order
    /// and before they begin, so there is no deadlock.
    struct RecordLocks: Sendable, Hashable {
        /// The maximum number. A transaction of more records, as of an operator, takes none.
        static let limit = 16

        private var hashes: Set<Int64> = []

        /// The keys of the locks in the order in which they are taken; none if there are more than ``limit``.
        var keys: [Int64] { hashes.count > Self.limit ? [] : hashes.sorted() }

        /// Notes the records that a statement is about, if it says so.
        mutating func note(_ question: AccountQuestion) {
            guard hashes.count <= Self.limit, case .account(let statement) = question.statement,
                let kind = statement.recordKind
            else { return }
            var bytes = Array("oidc-broker \(kind)".utf8)
            for part in question.parameters.prefix(kind == .identity ? 2 : 1) {
                // The byte, which is in no name, keeps the parts apart well enough: two records that share a lock only wait
                // for each other.
                bytes += [0] + (part ?? [])
            }
            hashes.insert(Hash.sha256(bytes).prefix(8).reduce(0) { $0 << 8 | Int64($1) })
        }
    }

    extension AccountStatement {
        /// What the first parameters name.
        enum RecordKind: Sendable, Hashable {
            case account, identity, email, consumed
        }

        /// The kind of record that the first parameters name; `nil` if they name none that several transactions know. A
        /// session is of an account, which every transaction about it looks at.
        var recordKind: RecordKind? {
            switch self {
            case .account, .updateAccount, .removeAccount, .identities, .sessions, .removeSessions, .trimSessions:
                .account
            case .identity, .identityClaims, .insertIdentity, .insertFreeIdentity, .updateIdentity, .setIdentityClaims,
                .removeIdentity:
                .identity
            case .accountOfEmail: .email
            case .consume: .consumed
            default: nil
            }
        }
    }
#endif
