// SPDX-License-Identifier: Apache-2.0

extension SentinelSubscription {
    /// What a sentinel says to a subscriber. It performs no I/O and has no clock.
    struct StateMachine {
        private let primaryName: String
        private var awaitsAuthentication: Bool
        /// Whether something was asked since the last answer.
        private var awaitsAnswer = true
        private var isEnded = false

        /// - Parameters:
        ///   - primaryName: The name of the primary whose messages count.
        ///   - authenticates: Whether a password is sent first.
        init(primaryName: String, authenticates: Bool) {
            self.primaryName = primaryName
            awaitsAuthentication = authenticates
        }

        enum Action: Hashable {
            /// There is nothing to do.
            case none
            /// The primary has this address from now on.
            case switched(ValkeyAddress)
            /// Close the connection.
            case close(ValkeyStoreError)
        }

        /// Takes a value that came from the sentinel.
        mutating func received(_ value: RESPValue) -> Action {
            guard !isEnded else { return .none }
            awaitsAnswer = false
            if awaitsAuthentication {
                guard value == .simple("OK") else { return end(SentinelAccess.refusal(value)) }
                awaitsAuthentication = false
                return .none
            }
            guard case .array(let parts) = value, case .bulk(let kind)? = parts.first, kind.count <= 16 else {
                return end(ValkeyStoreError(unexpected: value))
            }
            switch String(decoding: kind, as: UTF8.self) {
            case "subscribe", "pong": return .none
            case "message":
                guard parts.count == 3, parts[1] == .bulk(Array(SwitchedPrimary.channel.utf8)),
                    case .bulk(let message) = parts[2]
                else { return end(ValkeyStoreError(unexpected: value)) }
                guard let switched = SwitchedPrimary(message: message), switched.name == primaryName else {
                    return .none
                }
                return .switched(switched.address)
            default: return end(ValkeyStoreError(unexpected: value))
            }
        }

        enum LookAction: Hashable {
            /// Ask whether the sentinel is still there.
            case ask
            /// Close the connection: it did not answer.
            case close
        }

        /// Some time has passed.
        mutating func look() -> LookAction {
            guard !isEnded, !awaitsAnswer else {
                isEnded = true
                return .close
            }
            awaitsAnswer = true
            return .ask
        }

        private mutating func end(_ error: ValkeyStoreError) -> Action {
            isEnded = true
            return .close(error)
        }
    }
}
