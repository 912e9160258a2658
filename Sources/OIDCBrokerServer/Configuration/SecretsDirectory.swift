// SPDX-License-Identifier: Apache-2.0

#if Server
    import Configuration
    import OIDCBroker

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The directory of secret files, each of which is named after its key.
    struct SecretsDirectory: Sendable {
        /// The provider that reads the files.
        let provider: DirectoryFilesProvider
        /// The names of the entries that may be keys.
        let names: [String]
        /// The errors for entries that the provider skips although they are named like keys.
        let errors: [ConfigurationError]

        /// Reads a directory.
        ///
        /// - Throws: One error at `auth.secrets-directory`, if it cannot be read.
        init(path: String, source: String?) async throws(BrokerConfigurationError) {
            let directory = Self.contents(ofDirectory: path)
            let names: [String]
            do {
                provider = try await Self.make(path: directory) { try await DirectoryFilesProvider(directoryPath: $0) }
                // The record of a rotation stands beside the keys, and is none.
                names = try FileManager.default.contentsOfDirectory(atPath: directory)
                    .filter { $0.hasPrefix("auth-") && !$0.hasSuffix(KeyRotationRecord.suffix) }
                    .sorted()
            } catch {
                throw BrokerConfigurationError(errors: [
                    SourceConfiguration.error(
                        \.secretsDirectory, prefix: SourceConfiguration.prefix, source: source,
                        expected: "a directory that can be read, with files that can be read")
                ])
            }
            self.names = names
            errors = names.filter { !Self.isRegular(directory + "/" + $0) }
                .map { .init(key: $0, source: "secret files", expected: "a regular file; others are not read") }
        }

        /// Returns the directory in which the files of a secrets directory are.
        ///
        /// A Kubernetes volume holds symbolic links into `..data`, which is replaced as a whole. The provider skips
        /// links, so it is pointed at their target.
        private static func contents(ofDirectory path: String) -> String {
            let target = path + "/..data"
            return FileManager.default.fileExists(atPath: target) ? target : path
        }

        /// Returns the paths of the entries that may be keys of the configuration; `nil` if the directory cannot be
        /// read.
        static func files(inDirectory path: String) -> [String]? {
            let directory = contents(ofDirectory: path)
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return nil }
            return names.filter { $0.hasPrefix("auth-") || $0.hasPrefix("server-") }
                .filter { !$0.hasSuffix(KeyRotationRecord.suffix) }.sorted().map { directory + "/" + $0 }
        }

        /// Returns whether there is a regular file at a path, and no link to one.
        static func isRegular(_ path: String) -> Bool {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }

        /// Creates a provider from a path without naming the path's type, which belongs to a package that is not a
        /// dependency of this one.
        static func make<Path: ExpressibleByConfigString, Provider>(
            path: String, _ body: (Path) async throws -> Provider
        ) async throws -> Provider {
            guard let path = Path(configString: path) else { throw CocoaError(.fileReadInvalidFileName) }
            return try await body(path)
        }
    }
#endif
