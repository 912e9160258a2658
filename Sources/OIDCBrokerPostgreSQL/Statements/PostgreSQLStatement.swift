// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// A statement of the single-use store.
    ///
    /// Each runs in a transaction of its own, at the isolation level READ COMMITTED, and is judged by the clock of the
    /// server.
    enum PostgreSQLStatement: String, PreparedStatement, Hashable, CaseIterable {
        /// Claims a key. There is a row if the attempt has the claim.
        case claim
        /// Asks whether an attempt claimed a key. There is no row if the key is not claimed.
        case claimant
        /// Stores a value.
        case put
        /// Takes a value. The row is the value, if this attempt has it, and whether the key is taken.
        case take
        /// Removes a value that was taken.
        case removeTaken
        /// Asks for a value.
        case read
        /// Removes a value if it is the given one.
        case remove
        /// Asks whether a key is claimed.
        case isClaimed
        /// Removes claims that have expired. There is a row for each.
        case sweepClaims
        /// Removes values that have expired. There is a row for each.
        case sweepValues

        /// Its name at a connection.
        var name: String { "oidc_broker_\(rawValue)" }

        /// The types of the parameters.
        var parameters: [PostgreSQLType] {
            switch self {
            case .claim, .put, .take: [.bytes, .bytes, .number]
            case .claimant, .remove: [.bytes, .bytes]
            case .removeTaken, .read, .isClaimed: [.bytes]
            case .sweepClaims, .sweepValues: []
            }
        }

        /// The text.
        var sql: String {
            switch self {
            case .claim: Self.claimText
            case .take: Self.takeText
            case .put: Self.putText
            case .claimant:
                """
                SELECT claim.attempt = $2 FROM oidc_broker_claim AS claim
                WHERE claim.key = $1 AND claim.expires > clock_timestamp()
                """
            case .removeTaken: "DELETE FROM oidc_broker_value WHERE key = $1"
            case .read: "SELECT value FROM oidc_broker_value WHERE key = $1 AND expires > clock_timestamp()"
            case .remove: "DELETE FROM oidc_broker_value WHERE key = $1 AND value = $2"
            case .isClaimed: "SELECT true FROM oidc_broker_claim WHERE key = $1 AND expires > clock_timestamp()"
            case .sweepClaims: Self.sweepText(of: "oidc_broker_claim")
            case .sweepValues: Self.sweepText(of: "oidc_broker_value")
            }
        }
    }
#endif
