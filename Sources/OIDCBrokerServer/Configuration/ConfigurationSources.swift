// SPDX-License-Identifier: Apache-2.0

#if Server
    public import Configuration
    import OIDCBroker
    public import OIDCBrokerConfiguration

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The sources of the standalone server's configuration, in descending precedence: command line, environment,
    /// secret files and configuration file.
    ///
    /// The spelling of a key follows the rules of swift-configuration: `auth.public-url` is `--auth-public-url` on the
    /// command line, `AUTH_PUBLIC_URL` in the environment, a file `auth-public-url` in the directory that
    /// `auth.secrets-directory` names, and nested in the configuration file. The elements of a list are separated by
    /// commas except in the configuration file.
    public struct ConfigurationSources: Sendable {
        /// The reader of all sources.
        public let config: ConfigReader
        /// The recorder of the keys that were read and of the sources of their values.
        public let accesses: ConfigurationAccessRecorder

        let arguments: [String]
        let environment: [String: String]
        let secrets: SecretsDirectory?
        let document: ConfigurationDocument?
        let documentPath: String?
        /// The configuration of the sources as the other sources contain it. While a server runs, another one is in
        /// force.
        private let given: SourceConfiguration
        private let secretsDirectory: String?

        /// Opens the sources. Each file is read once.
        ///
        /// - Parameters:
        ///   - arguments: The arguments on the command line, without the program's name and its own options.
        ///   - environment: The environment; `nil` for that of the process.
        ///   - configurationFile: The path of a `.yaml`, `.yml` or `.json` file.
        /// - Throws: An error for a source that cannot be read.
        public init(
            arguments: [String] = [],
            environment: [String: String]? = nil,
            configurationFile: String? = nil
        ) async throws(BrokerConfigurationError) {
            try await self.init(
                arguments: arguments, environment: environment, configurationFile: configurationFile, keeping: nil)
        }

        /// Opens the sources for a server that runs already.
        ///
        /// - Parameter running: The configuration of the sources that is in force; `nil` for the one that they contain.
        init(
            arguments: [String], environment: [String: String]?, configurationFile: String?,
            keeping running: SourceConfiguration?
        ) async throws(BrokerConfigurationError) {
            let environment = environment ?? ProcessInfo.processInfo.environment
            let document: ConfigurationDocument?
            if let configurationFile {
                document = try ConfigurationDocument(path: configurationFile)
            } else {
                document = nil
            }
            let fileName = Self.documentSource(configurationFile)
            let accesses = ConfigurationAccessRecorder(sourceNames: [
                "FileProvider<YAMLSnapshot>": fileName, "FileProvider<JSONSnapshot>": fileName,
            ])
            let higher: [any ConfigProvider] = [
                CommandLineArgumentsProvider(
                    arguments: ["oidc-broker"] + arguments,
                    secretsSpecifier: .dynamic { name, _ in ConfigurationSpelling.isSecret(name) }),
                EnvironmentVariablesProvider(
                    environmentVariables: environment,
                    secretsSpecifier: .dynamic { name, _ in ConfigurationSpelling.isSecret(name) }),
            ]
            let lower = try await Self.fileProviders(document, path: configurationFile)
            // Secret files are between the two, and the other sources contain the path of their directory.
            let reader = ConfigReader(providers: higher + lower, accessReporter: accesses)
            given = try await Self.sources(reader, accesses)
            secretsDirectory = (running ?? given).secretsDirectory
            let secrets = try Self.secrets(secretsDirectory, accesses)
            let between: [any ConfigProvider] = secrets.map { [$0.provider] } ?? []
            config = ConfigReader(providers: higher + between + lower, accessReporter: accesses)
            self.accesses = accesses
            self.arguments = arguments
            self.environment = environment
            self.secrets = secrets
            self.document = document
            documentPath = configurationFile
        }

        /// Reads and validates the keys of the broker and of the server and the files that they name. A key in the
        /// sources that is not read is an error.
        ///
        /// - Throws: All errors at once.
        public func load() async throws(BrokerConfigurationError) -> LoadedConfiguration {
            try await load(keeping: nil)
        }

        /// Reads and validates everything, for a server that runs already.
        ///
        /// - Parameter running: The configuration in use, whose keys stay in use where keys are made; `nil` if there is
        ///   none.
        func load(
            keeping running: BrokerConfiguration?
        ) async throws(BrokerConfigurationError) -> LoadedConfiguration {
            var errors: [ConfigurationError] = []
            var readBroker: BrokerConfiguration?
            var readServer: ServerConfiguration?
            var accountValues = ConfigurationValues(config: config, accesses: accesses)
            var accounts = await AccountsConfiguration.read(from: &accountValues)
            var storeValues = ConfigurationValues(config: config, accesses: accesses)
            var store = StoreConfiguration()
            await storeValues.read(&store, prefix: StoreConfiguration.prefix)
            store.keepsAccounts = accounts?.isInPostgreSQL ?? false
            storeValues.add(store.boundsErrors(prefix: StoreConfiguration.prefix))
            do throws(BrokerConfigurationError) {
                readBroker = try await BrokerConfiguration(
                    besideStore: config, accesses: accesses, sdkAppAudiences: accounts?.sdkAppAudiences ?? [],
                    hasSDKApps: accounts?.apps.isEmpty == false, isStandalone: true)
            } catch {
                errors += error.errors
            }
            do throws(BrokerConfigurationError) {
                readServer = try await ServerConfiguration(config: config, accesses: accesses)
            } catch {
                errors += error.errors
            }
            accounts?.finishReading(from: &accountValues, beside: readBroker)
            errors += accountValues.errors + storeValues.errors
            if accounts == nil, accountValues.errors.isEmpty {
                errors += readBroker?.errors(decidesSignIns: false) ?? []
                errors += readBroker?.errors(receivesNotifications: false) ?? []
                errors += readServer?.loopback.errorsWithoutAccounts(accesses) ?? []
            }
            errors = located(joiningMissingSections(errors)) + self.errors(besides: errors)
            guard let broker = readBroker, let server = readServer, errors.isEmpty else {
                throw BrokerConfigurationError(errors: errors)
            }
            var loaded = LoadedConfiguration(broker: broker, server: server, accounts: accounts, store: store)
            loaded.sources = given
            loaded.exposedFilesOfSecretsDirectory =
                (secrets?.exposures ?? []) + storeValues.exposedSecretFiles + documentExposure
            var inUse = broker
            if let running { inUse.keepMadeKeys(of: running) }
            loaded.fingerprint = fingerprint(of: inUse)
            return loaded
        }

        /// An error for the configuration file, at its first secret, if others can read or write it.
        private var documentExposure: [ConfigurationError] {
            guard let documentPath, let secret = document?.keys.first(where: ConfigurationSpelling.isSecret),
                let exposure = ConfigurationFile.exposure(ofSecretFileAtPath: documentPath, key: secret)
            else { return [] }
            return [exposure]
        }

        /// The name of the configuration file as a source.
        static func documentSource(_ path: String?) -> String { "configuration file \(path ?? "")" }

        /// The files that can change the result of ``load()``. It is complete after that was called.
        ///
        /// - Parameter all: Whether those are among them that the running server reads again by itself.
        func watchedFiles(all: Bool) -> WatchedFiles {
            var paths = accesses.files
            if all { paths.formUnion(accesses.filesReadAgain) }
            if let documentPath { paths.insert(documentPath) }
            return WatchedFiles(paths: paths, secretsDirectory: secretsDirectory)
        }

        private static func fileProviders(
            _ document: ConfigurationDocument?, path: String?
        ) async throws(BrokerConfigurationError) -> [any ConfigProvider] {
            guard let document, let path else { return [] }
            do {
                switch document.format {
                case .yaml:
                    return [
                        try await file(
                            YAMLSnapshot.self, path,
                            .init(secretsSpecifier: .dynamic { name, _ in ConfigurationSpelling.isSecret(name) }))
                    ]
                case .json:
                    return [
                        try await file(
                            JSONSnapshot.self, path,
                            .init(secretsSpecifier: .dynamic { name, _ in ConfigurationSpelling.isSecret(name) }))
                    ]
                }
            } catch {
                throw ConfigurationDocument.unreadable(path, ConfigurationDocument.scalars)
            }
        }

        private static func file<Snapshot: FileConfigSnapshot>(
            _: Snapshot.Type, _ path: String, _ options: Snapshot.ParsingOptions
        ) async throws -> FileProvider<Snapshot> {
            try await make(path: path) { try await FileProvider<Snapshot>(parsingOptions: options, filePath: $0) }
        }

        /// Creates a provider from a path without naming the path's type, which belongs to a package that is not a
        /// dependency of this one.
        static func make<Path: ExpressibleByConfigString, Provider>(
            path: String, _ body: (Path) async throws -> Provider
        ) async throws -> Provider {
            guard let path = Path(configString: path) else { throw CocoaError(.fileReadInvalidFileName) }
            return try await body(path)
        }

        private static func sources(
            _ reader: ConfigReader, _ accesses: ConfigurationAccessRecorder
        ) async throws(BrokerConfigurationError) -> SourceConfiguration {
            var values = ConfigurationValues(config: reader, accesses: accesses)
            var sources = SourceConfiguration()
            await values.read(&sources, prefix: SourceConfiguration.prefix)
            guard values.errors.isEmpty else { throw BrokerConfigurationError(errors: values.errors) }
            return sources
        }

        private static func secrets(
            _ path: String?, _ accesses: ConfigurationAccessRecorder
        ) throws(BrokerConfigurationError) -> SecretsDirectory? {
            guard let path else { return nil }
            let key = SourceConfiguration.prefix + SourceConfiguration.key(of: \.secretsDirectory)
            return try SecretsDirectory(path: path, source: accesses.source(of: key))
        }
    }
#endif
