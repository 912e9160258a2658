// SPDX-License-Identifier: Apache-2.0

#if Server
    extension ConfigurationReload {
        /// The decision when a configuration is read anew. It reads no files and has no clock; what the files contain is
        /// passed to it as a fingerprint.
        struct StateMachine: Sendable {
            /// The action that follows.
            enum Action: Sendable, Hashable {
                /// Do nothing.
                case none
                /// Read the configuration, and call ``StateMachine/loaded(before:after:)``.
                case load
            }

            /// What becomes of a configuration that was read.
            enum Outcome: Sendable, Hashable {
                /// It is what is in the files: use or refuse it.
                case take
                /// The files changed while it was read: forget it.
                case discard
            }

            /// The files of the configuration that was last taken, in use or refused; `nil` before the first.
            private var tried: WatchedFilesFingerprint?
            /// What the last look found, if it is something else.
            private var seen: WatchedFilesFingerprint?
            /// Whether a signal has not led to a configuration that was taken yet.
            private(set) var isSignalPending = false

            /// Handles a look at the files.
            ///
            /// What is new must be the same twice in a row. Otherwise a file may be half written, or only one of two
            /// may be new. A signal means that the files are complete.
            mutating func looked(_ found: WatchedFilesFingerprint) -> Action {
                if isSignalPending { return .load }
                guard found != tried else {
                    seen = nil
                    return .none
                }
                guard found == seen else {
                    seen = found
                    return .none
                }
                return .load
            }

            /// Handles a signal, after which the configuration is read in any case.
            mutating func signaled() -> Action {
                isSignalPending = true
                return .load
            }

            /// Handles a configuration that was read.
            /// - Parameters:
            ///   - before: The files before it was read.
            ///   - after: The files after it was read.
            mutating func loaded(
                before: WatchedFilesFingerprint, after: WatchedFilesFingerprint
            ) -> Outcome {
                guard before == after else {
                    seen = after
                    return .discard
                }
                tried = before
                seen = nil
                isSignalPending = false
                return .take
            }
        }
    }
#endif
