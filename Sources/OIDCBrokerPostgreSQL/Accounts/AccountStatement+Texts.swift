// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// The texts of the statements by their tables. Each finds its rows by an index, so that a transaction depends on
    /// those rows and not on the whole table.
    extension AccountStatement {
        var accountText: String {
            let select = "SELECT \(AccountRow.columns) FROM oidc_broker_account"
            return switch self {
            case .accountOfEmail: "\(select) WHERE email_key = $1"
            case .accounts: "\(select) WHERE uid > $1 ORDER BY uid LIMIT $2"
            case .insertAccount: AccountRow.insertion
            case .updateAccount: AccountRow.update
            case .removeAccount: "DELETE FROM oidc_broker_account WHERE uid = $1"
            default: "\(select) WHERE uid = $1"
            }
        }

        var identityText: String {
            let select = "SELECT \(IdentityRow.columns) FROM oidc_broker_identity"
            return switch self {
            case .identities: "\(select) WHERE uid = $1 ORDER BY position"
            case .insertIdentity: IdentityRow.insertion
            case .updateIdentity: IdentityRow.update
            case .removeIdentity: "DELETE FROM oidc_broker_identity WHERE \(IdentityRow.isOfKey)"
            default: "\(select) WHERE \(IdentityRow.isOfKey)"
            }
        }

        var sessionText: String {
            let select = "SELECT \(SessionRow.columns) FROM oidc_broker_session"
            return switch self {
            case .sessions: "\(select) WHERE uid = $1 ORDER BY last_used_on, created_at, id"
            case .insertSession: SessionRow.insertion
            case .updateSession: SessionRow.update
            case .removeSession: "DELETE FROM oidc_broker_session WHERE id = $1"
            case .removeSessions:
                """
                DELETE FROM oidc_broker_session WHERE uid = $1 AND ($2 IS NULL OR provider_id = $2)
                    AND ($3 IS NULL OR id <> $3)
                """
            case .trimSessions:
                """
                DELETE FROM oidc_broker_session WHERE id = ANY (ARRAY(
                    SELECT id FROM oidc_broker_session WHERE uid = $1 ORDER BY last_used_on, created_at, id
                    LIMIT GREATEST(0, (SELECT count(*) FROM oidc_broker_session WHERE uid = $1) - $2)
                ))
                """
            case .renameProvider:
                "UPDATE oidc_broker_session SET provider_id = $1 WHERE uid = $2 AND provider_id = $3"
            default: "\(select) WHERE id = $1"
            }
        }
    }
#endif
