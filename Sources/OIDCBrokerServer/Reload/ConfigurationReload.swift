// SPDX-License-Identifier: Apache-2.0

#if Server
    public import Logging
    public import OIDCBroker
    public import ServiceLifecycle
    import Synchronization

    /// The reload of the configuration while the server runs.
    ///
    /// Every two seconds it looks at the files that the configuration was read from, and reads those whose inode, size or
    /// times differ from what it saw before. It reads the configuration anew
    /// when they have changed and two reads in a row agree, or at a signal. If the configuration is valid as a whole,
    /// it is applied in one step, and requests in flight finish under the one that they began with. Otherwise nothing
    /// changes, and every error is logged.
    ///
    /// It is a service. Run it in a `ServiceGroup` before the server, so that it ends after the server has drained.
    public final class ConfigurationReload: Service {
        /// The time between two looks at the files.
        public static let defaultInterval = Duration.seconds(2)

        private let start: RunningConfiguration
        private let interval: Duration
        private let forEachSignal: @Sendable (@Sendable () -> Void) async -> Void

        /// Creates the reload of a configuration.
        ///
        /// - Parameters:
        ///   - configuration: The configuration that everything was created with.
        ///   - location: Where the configuration was read from. Its environment and its command line do not change.
        ///   - broker: The broker.
        ///   - accounts: The accounts that made the broker; `nil` if there are none.
        ///   - server: The server; `nil` if the broker is embedded in another one.
        ///   - store: The store outside of the process; `nil` if it is in memory.
        ///   - signals: A sequence. Each element, with any value, reads the configuration anew.
        ///   - interval: The time between two looks at the files.
        ///   - logger: The logger. No value of the configuration is logged.
        ///   - observer: What is told of reloads, such as what changes the level of the process's log.
        public init<Signals: AsyncSequence & Sendable>(
            of configuration: LoadedConfiguration, from location: ConfigurationLocation, broker: Broker,
            accounts: BrokerAccounts? = nil, server: BrokerServer? = nil, store: OpenedStore? = nil, signals: Signals,
            interval: Duration = ConfigurationReload.defaultInterval, logger: Logger,
            observer: ReloadObserver = ReloadObserver()
        ) where Signals.Element: Sendable {
            let target = ReloadTarget(
                broker: broker, accounts: accounts, server: server, store: store, observer: observer)
            start = RunningConfiguration(configuration, from: location, target: target, logger: logger)
            self.interval = interval
            forEachSignal = { body in
                do {
                    for try await _ in signals { body() }
                } catch {
                    // There are no more signals, and the files are still watched.
                }
            }
        }

        /// What has to be done. A signal is not lost while the configuration is read.
        private final class Due: Sendable {
            private let state = Mutex((look: false, signal: false))

            func setLook() { state.withLock { $0.look = true } }
            func setSignal() { state.withLock { $0.signal = true } }
            func take() -> (look: Bool, signal: Bool) {
                state.withLock { state in
                    defer { state = (false, false) }
                    return state
                }
            }
        }

        /// Reloads the configuration until graceful shutdown or cancellation.
        public func run() async {
            await cancelWhenGracefulShutdown { [start, interval, forEachSignal] in
                var running = start
                let due = Due()
                let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
                await withTaskGroup(of: Void.self) { tasks in
                    tasks.addTask {
                        while (try? await Task.sleep(for: interval)) != nil {
                            due.setLook()
                            wake.yield()
                        }
                    }
                    tasks.addTask {
                        await forEachSignal {
                            due.setSignal()
                            wake.yield()
                        }
                    }
                    for await _ in wakes {
                        let now = due.take()
                        if now.signal {
                            await running.signal()
                        } else if now.look {
                            await running.look()
                        }
                    }
                    tasks.cancelAll()
                }
            }
        }
    }
#endif
