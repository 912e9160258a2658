// SPDX-License-Identifier: Apache-2.0

extension AppleKeyReload {
    /// The decision about a key after its files were read. It does not read files and has no clock; the contents are
    /// passed to it.
    struct StateMachine: Sendable {
        /// The contents of the files, without white space at the end.
        struct Contents: Sendable, Hashable {
            let privateKey: String
            /// The key ID in use, if it does not come from a file.
            let keyID: String
        }

        /// The action that follows.
        enum Action: Sendable, Hashable {
            /// Do nothing, since nothing has changed.
            case none
            /// Use these contents, and call ``StateMachine/refused(_:)`` if they are not a valid key.
            case replace(Contents)
            /// Report that a file cannot be read.
            case report
        }

        private var seen: Contents?
        private var lastRefused: Contents?
        private var isReported = false

        /// Handles the contents of the files.
        /// - Parameters:
        ///   - contents: The contents; `nil` if a file cannot be read.
        ///   - current: The contents in use.
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
            // The contents must be the same twice. Otherwise a file may be half written, or only one of the two may be
            // new.
            guard contents == seen else {
                seen = contents
                return .none
            }
            return .replace(contents)
        }

        /// Records that the new contents are not a valid key.
        mutating func refused(_ contents: Contents) { lastRefused = contents }
    }
}
