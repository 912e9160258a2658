// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    extension PostgreSQLStoreError {
        /// The error of an SQLSTATE. The message of a server is not kept: it may repeat a key or a value.
        init(sqlState: String) {
            guard Self.isSQLState(sqlState) else {
                self = .unexpectedAnswer.with("an error without SQLSTATE")
                return
            }
            self = Self.kind(of: sqlState).with(sqlState: sqlState)
        }

        /// The error of a connection that could not be made.
        /// - Parameters:
        ///   - message: What libpq says, in which the error of a server is its SQLSTATE alone.
        ///   - needsPassword: Whether the server demands a password and there is none.
        init(connecting message: String, needsPassword: Bool) {
            if needsPassword {
                self = .wrongPassword.with("the server demands a password")
                return
            }
            // Of several hosts, what a server said is worth more than that another could not be reached.
            let states = message.split(separator: "\n").compactMap { line in
                line.split(separator: " ").last.map { String($0) }
            }.filter { Self.isSQLState($0) }
            let errors = states.map { Self(sqlState: $0) }
            if let error = errors.last(where: { $0.isRefusal }) ?? errors.last {
                // A connection that ends here was never of use.
                let isEnd = error == .closed || error == .timeout
                self = isEnd ? PostgreSQLStoreError.unreachable.with(error.detail) : error
            } else if message.contains("session is read-only") || message.contains("in hot standby mode") {
                self = .notPrimary.with("it does not allow writes")
            } else {
                self = .unreachable
            }
        }

        /// Whether the server was reached and cannot be used as it is.
        package var isRefusal: Bool {
            switch self {
            case .wrongVersion, .notPrimary, .notDurable, .wrongSchema, .wrongPassword, .notEncrypted,
                .unexpectedAnswer:
                true
            default: false
            }
        }

        /// Whether a connection with this answer is of no use any more: the next one looks at the server anew.
        var endsConnection: Bool {
            switch self {
            case .timeout, .busy, .full: false
            default: !breaksConstraint
            }
        }

        /// Whether a write breaks a constraint (class 23).
        var breaksConstraint: Bool { sqlState?.utf8.starts(with: "23".utf8) == true }

        /// Whether a transaction could not be serialized, or was the victim of a deadlock. It had no effect, and may
        /// succeed if it is run again.
        var isSerializationFailure: Bool { sqlState == "40001" || sqlState == "40P01" }

        /// Whether a row is there that must not be, or is not there that must be. Another transaction may have written
        /// it since the beginning of this one, so that this one has not seen it.
        var mayBeSerializationFailure: Bool { sqlState == "23505" || sqlState == "23503" }

        private static func kind(of state: String) -> PostgreSQLStoreError {
            switch state {
            case "53100", "53200": return .full
            // A statement that took too long, or waited too long for a lock, was rolled back.
            case "57014", "55P03": return .timeout
            // So was one that was chosen among several.
            case "40001", "40P01": return .busy
            case "25006": return .notPrimary
            // A transaction in which nothing was asked for too long, as of a process that was stopped.
            case "25P03": return .closed
            case "42501": return .wrongPassword
            case "57P03": return .unreachable
            case "3D000", "3F000", "42P01", "42P10", "42703", "42804", "42883": return .wrongSchema
            default: break
            }
            switch state.prefix(2) {
            case "08", "57": return .closed
            case "28": return .wrongPassword
            case "53": return .busy
            default: return .unexpectedAnswer
            }
        }

        /// Whether a text is five digits and capital letters, with a digit among them.
        private static func isSQLState(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            return bytes.count == 5 && bytes.contains { (0x30...0x39).contains($0) }
                && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        }
    }
#endif
