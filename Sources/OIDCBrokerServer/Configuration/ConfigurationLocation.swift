// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBroker
    public import OIDCBrokerConfiguration

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// Where the configuration of a server is: what ``ConfigurationSources`` are opened with, as of the start of the
    /// process.
    public struct ConfigurationLocation: Sendable {
        /// The arguments on the command line, without the program's name and its own options.
        public let arguments: [String]
        /// The environment.
        public let environment: [String: String]
        /// The path of a `.yaml`, `.yml` or `.json` file; `nil` if there is none.
        public let configurationFile: String?

        /// Creates a location.
        /// - Parameters:
        ///   - arguments: The arguments on the command line, without the program's name and its own options.
        ///   - environment: The environment; `nil` for that of the process.
        ///   - configurationFile: The path of a `.yaml`, `.yml` or `.json` file.
        public init(
            arguments: [String] = [], environment: [String: String]? = nil, configurationFile: String? = nil
        ) {
            self.arguments = arguments
            self.environment = environment ?? ProcessInfo.processInfo.environment
            self.configurationFile = configurationFile
        }

        /// Reads and validates the configuration, again where its files changed meanwhile, so that it is one that was in
        /// the files at one moment.
        ///
        /// - Throws: `BrokerConfigurationError` with all errors at once.
        public func load() async throws(BrokerConfigurationError) -> LoadedConfiguration {
            try await StartReading(of: self) { await read(keeping: nil) }.load()
        }

        /// A configuration that was read, and what it was read from.
        struct Reading: Sendable {
            /// The configuration, or why it cannot be used.
            let result: Result<LoadedConfiguration, BrokerConfigurationError>
            /// The files that it was read from; `nil` if not even the sources could be opened.
            let files: WatchedFiles?
        }

        /// Reads and validates the configuration once, whatever happens to its files meanwhile.
        ///
        /// - Parameter running: The configuration of a server that runs already; `nil` if there is none.
        func read(keeping running: LoadedConfiguration?) async -> Reading {
            do throws(BrokerConfigurationError) {
                let sources = try await ConfigurationSources(
                    arguments: arguments, environment: environment, configurationFile: configurationFile,
                    keeping: running?.sources)
                do throws(BrokerConfigurationError) {
                    let loaded = try await sources.load(keeping: running?.broker)
                    return Reading(result: .success(loaded), files: sources.watchedFiles(all: false))
                } catch {
                    // What is wrong may be in a file that the server reads again by itself, but not this error.
                    return Reading(result: .failure(error), files: sources.watchedFiles(all: true))
                }
            } catch {
                return Reading(result: .failure(error), files: nil)
            }
        }
    }
#endif
