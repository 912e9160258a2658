// SPDX-License-Identifier: Apache-2.0

#if Server
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerConfiguration

    /// The files that a configuration was read from.
    struct WatchedFiles: Sendable, Hashable {
        /// The paths of the configuration file and of each file that a key names.
        var paths: Set<String> = []
        /// The path of the secrets directory; `nil` if there is none.
        var secretsDirectory: String?

        /// Whether nothing is read from files.
        var isEmpty: Bool { paths.isEmpty && secretsDirectory == nil }

        /// Reads all of them, on a thread that may block.
        ///
        /// - Throws: An error if the task was canceled or the threads were shut down.
        func fingerprint() async throws -> WatchedFilesFingerprint {
            try await NIOThreadPool.singleton.runIfActive { self.read() }
        }

        /// Reads all of them. It blocks for as long as the disk takes.
        func read() -> WatchedFilesFingerprint {
            WatchedFilesFingerprint(states)
        }

        /// The contents of those that can be read, by a name that no other kind of source has. It blocks.
        var contents: [String: [UInt8]] {
            var contents: [String: [UInt8]] = [:]
            for case (let path, .file(let bytes)) in states {
                contents["file \(path)"] = bytes
            }
            return contents
        }

        private var states: [(path: String, state: ConfigurationFile.State)] {
            let states = paths.sorted().map { (path: $0, state: ConfigurationFile.state(atPath: $0)) }
            guard let secretsDirectory else { return states }
            return states + Self.states(inSecretsDirectory: secretsDirectory)
        }

        private static func states(
            inSecretsDirectory path: String
        ) -> [(path: String, state: ConfigurationFile.State)] {
            guard let entries = SecretsDirectory.entries(inDirectory: path) else { return [(path, .unreadable)] }
            // No configuration is read from so many, and so their contents do not matter.
            guard entries.names.count <= SecretsDirectory.maximumEntries else {
                return [(path, .directory), (path, .unreadable)]
            }
            let files = entries.names.map { name -> (path: String, state: ConfigurationFile.State) in
                let file = entries.directory + "/" + name
                let state: ConfigurationFile.State =
                    switch SecretFile.state(atPath: file) {
                    case .contents(let bytes): .file(bytes)
                    case .absent: .absent
                    // It becomes valid when a file takes the place of it.
                    case .notRegular, .tooLong, .unreadable: .unreadable
                    }
                return (path: file, state: state)
            }
            return [(path, .directory)] + files
        }
    }
#endif
