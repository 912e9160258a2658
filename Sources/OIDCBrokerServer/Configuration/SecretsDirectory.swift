// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBroker
    import OIDCBrokerConfiguration

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The directory of secret files. Each is named after its key. Files with other names are not read.
    struct SecretsDirectory: Sendable {
        /// The maximum number of entries that may be keys.
        static let maximumEntries = 1_024

        /// The provider of the values.
        let provider: SecretFilesProvider
        /// The names of the entries that must be keys.
        let names: [String]
        /// The errors for entries that are not read although they are named like keys.
        let errors: [ConfigurationError]
        /// The files with secrets that users other than their owner and its group can read or write, each by its name.
        let exposures: [ConfigurationError]

        /// Reads a directory.
        ///
        /// - Throws: One error at `auth.secrets-directory`, if it cannot be read or has too many entries.
        init(path: String, source: String?) throws(BrokerConfigurationError) {
            guard let entries = Self.entries(inDirectory: path) else {
                throw Self.refusal(source: source, expected: Self.unreadable(path))
            }
            guard entries.names.count <= Self.maximumEntries else {
                throw Self.refusal(
                    source: source,
                    expected: "a directory with at most \(Self.maximumEntries) entries named auth-… or server-…; "
                        + "'\(path)' has \(entries.names.count)")
            }
            var contents: [String: [UInt8]] = [:]
            var errors: [ConfigurationError] = []
            var exposures: [ConfigurationError] = []
            for name in entries.names {
                let path = entries.directory + "/" + name
                switch SecretFile.state(atPath: path) {
                case .contents(let bytes):
                    contents[name] = bytes
                    // Some of them have values that are no secrets.
                    guard ConfigurationSpelling.isSecret(name) else { continue }
                    if let exposure = ConfigurationFile.exposure(ofSecretFileAtPath: path, key: name) {
                        exposures.append(exposure)
                    }
                // It was removed after the directory was listed.
                case .absent: continue
                case .notRegular: errors.append(Self.error(at: name, "a regular file; others are not read"))
                case .tooLong:
                    errors.append(Self.error(at: name, "a file of at most \(SecretFile.maximumBytes) bytes"))
                case .unreadable: errors.append(Self.error(at: name, "a file that can be read"))
                }
            }
            provider = SecretFilesProvider(contents: contents)
            names = entries.names.filter { $0.hasPrefix("auth-") }
            self.errors = errors
            self.exposures = exposures
        }

        /// What was expected instead of a directory that cannot be listed, and why it cannot.
        private static func unreadable(_ path: String) -> String {
            let takes = "a directory that can be read"
            do throws(ConfigurationFileError) {
                _ = try ConfigurationFile.read(atPath: path)
            } catch {
                // A directory that can be opened is one that may not be listed.
                guard error == .directory else { return error.expected(takes, path: path) }
            }
            return "\(takes); \(ConfigurationFileError.shown(path)): Not a directory that this user may list"
        }

        private static func error(at name: String, _ expected: String) -> ConfigurationError {
            ConfigurationError(key: name, source: "secret files", expected: expected)
        }

        private static func refusal(source: String?, expected: String) -> BrokerConfigurationError {
            BrokerConfigurationError(errors: [
                SourceConfiguration.error(
                    \.secretsDirectory, prefix: SourceConfiguration.prefix, source: source, expected: expected)
            ])
        }

        /// Returns the directory in which the files of a secrets directory are.
        ///
        /// A Kubernetes volume holds symbolic links into `..data`, which is replaced as a whole. Links are not read, so
        /// their target is.
        private static func contents(ofDirectory path: String) -> String {
            let target = path + "/..data"
            return FileManager.default.fileExists(atPath: target) ? target : path
        }

        /// Returns the directory in which the files are, and the names of the entries that may be keys of the
        /// configuration, in their order; `nil` if it cannot be read.
        static func entries(inDirectory path: String) -> (directory: String, names: [String])? {
            let directory = contents(ofDirectory: path)
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return nil }
            let keys = names.filter { name in
                // The record of a rotation stands beside the keys, and is none.
                (name.hasPrefix("auth-") || name.hasPrefix("server-")) && !name.hasSuffix(KeyRotationRecord.suffix)
            }
            return (directory, keys.sorted())
        }
    }
#endif
