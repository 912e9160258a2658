// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SingleUse

    /// The questions of the store, with their parameters.
    extension PostgreSQLQuestion {
        /// Claims a key.
        static func claim(_ key: SingleUseKey, attempt: SingleUseAttempt, lifetime: Duration) -> Self {
            Self(statement: .claim, parameters: [key.bytes, attempt.bytes, milliseconds(lifetime)])
        }

        /// Asks whether an attempt claimed a key.
        static func claimant(of key: SingleUseKey, attempt: SingleUseAttempt) -> Self {
            Self(statement: .claimant, parameters: [key.bytes, attempt.bytes])
        }

        /// Stores a value.
        static func put(_ key: SingleUseKey, value: [UInt8], lifetime: Duration) -> Self {
            Self(statement: .put, parameters: [key.bytes, value, milliseconds(lifetime)])
        }

        /// Takes a value.
        static func take(_ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration) -> Self {
            Self(statement: .take, parameters: [key.bytes, attempt.bytes, milliseconds(claimLifetime)])
        }

        /// Removes a value that was taken.
        static func removeTaken(_ key: SingleUseKey) -> Self {
            Self(statement: .removeTaken, parameters: [key.bytes])
        }

        /// Asks for a value.
        static func read(_ key: SingleUseKey) -> Self {
            Self(statement: .read, parameters: [key.bytes])
        }

        /// Removes a value if it is the given one.
        static func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) -> Self {
            Self(statement: .remove, parameters: [key.bytes, value])
        }

        /// Asks whether a key is claimed.
        static func isClaimed(_ key: SingleUseKey) -> Self {
            Self(statement: .isClaimed, parameters: [key.bytes])
        }

        private static func milliseconds(_ lifetime: Duration) -> [UInt8] {
            PostgreSQLBytes.number(lifetime.lifetimeInMilliseconds)
        }
    }
#endif
