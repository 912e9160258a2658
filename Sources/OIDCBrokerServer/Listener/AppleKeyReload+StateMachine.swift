// SPDX-License-Identifier: Apache-2.0

extension AppleKeyReload {
    /// What looking at the files of one key leads to. Reads nothing and has no clock: contents are handed in.
    struct StateMachine: Sendable {
        /// What the files hold, without white space at the end.
        struct Contents: Sendable, Hashable {
            let privateKey: String
            /// The key id in use, where that is no file.
            let keyID: String
        }

        /// What to do about it.
        enum Action: Sendable, Hashable {
            /// Nothing is new.
            case none
            /// Put this in place, and say so by ``StateMachine/refused(_:)`` where it is not taken.
            case replace(Contents)
            /// A file cannot be read: say so.
            case report
        }

        private var seen: Contents?
        private var lastRefused: Contents?
        private var isReported = false

        /// The files were looked at.
        /// - Parameters:
        ///   - contents: `nil` if one cannot be read.
        ///   - current: what is in use.
        mutating func looked(_ contents: Contents?, current: Contents) -> Action {
            guard let contents else {
                seen = nil
                guard !isReported else { return .none }
                isReported = true
                return .report
            }
            isReported = false
            guard contents != current else {
                seen = nil
                lastRefused = nil
                return .none
            }
            guard contents != lastRefused else { return .none }
            // Twice the same: else a file may be half written, or the other one still be the old one.
            guard contents == seen else {
                seen = contents
                return .none
            }
            return .replace(contents)
        }

        /// What was to be put in place is no key.
        mutating func refused(_ contents: Contents) { lastRefused = contents }
    }
}
