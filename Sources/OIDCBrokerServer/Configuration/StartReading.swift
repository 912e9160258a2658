// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBroker
    import OIDCBrokerConfiguration

    /// The reading of a configuration without an earlier look at its files: it is taken if they were the same before and
    /// after it. Otherwise a part of it may be of one configuration and a part of another, and it is read again.
    struct StartReading: Sendable {
        /// How often the configuration is read at most.
        static let maximumReadings = 8

        /// The files that are known to be read; the first reading completes them.
        private let files: WatchedFiles
        private let configurationFile: String?
        private let read: @Sendable () async -> ConfigurationLocation.Reading

        /// - Parameters:
        ///   - location: Where the configuration is.
        ///   - read: A closure that reads it once.
        init(
            of location: ConfigurationLocation, read: @escaping @Sendable () async -> ConfigurationLocation.Reading
        ) {
            configurationFile = location.configurationFile
            files = WatchedFiles(paths: Set([location.configurationFile].compactMap { $0 }))
            self.read = read
        }

        /// Reads the configuration.
        ///
        /// - Throws: `BrokerConfigurationError` with all errors, or with one if the files never stayed the same.
        func load() async throws(BrokerConfigurationError) -> LoadedConfiguration {
            var files = files
            for _ in 0..<Self.maximumReadings {
                let before = files.read()
                let reading = await read()
                // What was read from a file that was not looked at before could be older than the file by now.
                if let found = reading.files, found != files {
                    files = found
                    continue
                }
                guard files.read() == before else { continue }
                switch reading.result {
                case .success(let loaded): return loaded
                case .failure(let error): throw error
                }
            }
            throw BrokerConfigurationError(errors: [
                ConfigurationError(
                    key: "--config", source: configurationFile,
                    expected: "files that stay the same while they are read")
            ])
        }
    }
#endif
