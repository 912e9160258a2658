// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBrokerConfiguration
    import OIDCBrokerOperations
    import Logging
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerRecords
    import OpenIDRelyingParty

    /// The configuration in use, which is replaced when the files that it was read from have changed.
    ///
    /// Its functions are called one after another.
    struct RunningConfiguration: Sendable {
        /// The configuration in use.
        private(set) var inUse: LoadedConfiguration
        /// The files that are watched.
        private(set) var files: WatchedFiles
        /// The keys with a change in the files that needs a restart.
        private(set) var restartNeeded: [String] = []
        /// Whether the configuration in the files can be used.
        private(set) var isValid = true

        private let location: ConfigurationLocation
        private let target: ReloadTarget
        private let logger: Logger
        private let metrics: ReloadMetrics
        private var machine = ConfigurationReload.StateMachine()
        /// What the last look saw; `nil` if the next one has to read the files in any case.
        private var sighting: WatchedFiles.Sighting?
        /// The findings about certificates and client secrets that were written, at the start or at the last reading.
        private var expiryFindings: [ConfigurationError]
        /// The wall clock, which the times of files are compared with.
        private let clock: any UnixClock

        /// How often the configuration is read in a row where it names other files each time.
        private static let maximumReadings = 4
        /// The maximum number of names in a line of the log.
        private static let maximumListed = 100

        /// - Parameters:
        ///   - inUse: The configuration at the start.
        ///   - location: Where it was read from.
        ///   - target: What it is applied to.
        init(
            _ inUse: LoadedConfiguration, from location: ConfigurationLocation, target: ReloadTarget, logger: Logger,
            metrics: ReloadMetrics = ReloadMetrics(), clock: any UnixClock = SystemUnixClock()
        ) {
            self.clock = clock
            self.inUse = inUse
            self.location = location
            self.target = target
            self.logger = logger
            self.metrics = metrics
            expiryFindings = inUse.expiryFindings(now: clock.now())
            // The first reading completes the list.
            files = WatchedFiles(
                paths: Set([location.configurationFile].compactMap { $0 }),
                secretsDirectory: inUse.sources.secretsDirectory)
        }

        /// Looks at the files, and reads the configuration anew if they have changed and are the same as at the last
        /// look.
        ///
        /// The first two looks lead to a reading too, since the files may have changed since the start.
        mutating func look() async {
            guard inUse.server.reload == .watch || machine.isSignalPending else { return }
            let (files, known, now) = (files, sighting, clock.now())
            let look = try? await NIOThreadPool.singleton.runIfActive { files.read(knowing: known, now: now) }
            guard let look else { return }
            sighting = look.sighting
            if machine.looked(look.fingerprint) == .load { await load() }
        }

        /// Reads the configuration anew.
        mutating func signal() async {
            if machine.signaled() == .load { await load() }
        }

        private mutating func load() async {
            target.observer.willRead()
            defer { target.observer.didRead() }
            for _ in 0..<Self.maximumReadings {
                guard let before = try? await files.fingerprint() else { return }
                let reading = await location.read(keeping: inUse)
                guard let after = try? await files.fingerprint() else { return }
                // What was read from a file that was not watched yet could be older than the file by now.
                if let read = reading.files, read != files {
                    files = read
                    continue
                }
                guard machine.loaded(before: before, after: after) == .take else { return }
                return take(reading.result)
            }
        }

        private mutating func take(_ result: Result<LoadedConfiguration, BrokerConfigurationError>) {
            switch result {
            case .success(let loaded):
                do throws(BrokerConfigurationError) {
                    try use(loaded)
                } catch {
                    refuse(error)
                }
            case .failure(let error):
                refuse(error)
            }
        }

        private mutating func use(_ loaded: LoadedConfiguration) throws(BrokerConfigurationError) {
            var next = loaded
            next.broker.keepMadeKeys(of: inUse.broker)
            let kept = next.keepFixedValues(of: inUse)
            let isChanged = !next.behaves(as: inUse)
            if isChanged { try target.apply(next) }
            let previous = inUse
            inUse = next
            target.observer.didUse(inUse)
            noteUsed(since: previous, isChanged: isChanged)
            noteRestartNeeded(kept)
        }

        private mutating func noteUsed(since previous: LoadedConfiguration, isChanged: Bool) {
            if isChanged {
                metrics.countApplied()
                logger.notice(
                    "configuration reloaded",
                    metadata: ["auth.changed": "\(Self.list(inUse.changedNames(since: previous)))"])
                for warning in inUse.warnings where !previous.warnings.contains(warning) {
                    logger.warning("\(warning)")
                }
            } else if !isValid {
                logger.notice("configuration valid again and unchanged")
            }
            for file in inUse.exposedSecretFiles where !previous.exposedSecretFiles.contains(file) {
                logger.warning("\(file)")
            }
            let findings = inUse.expiryFindings(now: clock.now())
            for finding in findings where !expiryFindings.contains(finding) { logger.warning("\(finding)") }
            expiryFindings = findings
            isValid = true
            metrics.setValid(true)
        }

        private mutating func noteRestartNeeded(_ keys: [String]) {
            if !keys.isEmpty, keys != restartNeeded {
                logger.warning(
                    "some configuration changes need a restart; until then the old values stay active",
                    metadata: ["auth.changed": "\(Self.list(keys))"])
            }
            restartNeeded = keys
            metrics.setRestartNeeded(!keys.isEmpty)
        }

        private mutating func refuse(_ error: BrokerConfigurationError) {
            isValid = false
            metrics.setValid(false)
            metrics.countRefused()
            target.broker.audit(AuditEvent(.reload, outcome: "refused"))
            target.observer.didRefuse(error.errors.count)
            logger.logRefusal(error)
        }

        private static func list(_ names: [String]) -> String {
            let rest = names.count - maximumListed
            return names.prefix(maximumListed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        }
    }
#endif
