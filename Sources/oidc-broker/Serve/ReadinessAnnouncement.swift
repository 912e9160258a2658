// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBrokerOperations
    import OIDCBrokerServer
    import ServiceLifecycle

    /// Says when the server takes requests, and when it wants no more of them.
    ///
    /// It is a service. List it after the server, so that it is told to end first: the server still accepts connections
    /// while load balancers notice, and drains when this service has ended.
    struct ReadinessAnnouncement: Service {
        let server: BrokerServer
        /// Waits until a store outside of the process, and the database of accounts, was reached once.
        let reachesStore: @Sendable () async throws -> Void
        let readiness: ReadinessState
        let notification: ServiceNotification

        func run() async throws {
            // Where it cannot listen, the server itself reports why.
            guard (try? await server.boundAddress()) != nil else { return await waitForShutdown() }
            notification.status("Waiting for the store.")
            // It ends early when the server is told to end.
            if (try? await cancelWhenGracefulShutdown(reachesStore)) != nil {
                readiness.becomeReady()
                notification.ready()
                notification.status("Serving.")
            }
            await waitForShutdown()
            readiness.beginDraining()
            notification.stopping()
            notification.status("Draining.")
            // It ends early when it is canceled.
            try? await Task.sleep(for: server.drainDelay)
        }

        private func waitForShutdown() async { try? await gracefulShutdown() }
    }
#endif
