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
        let readiness: ReadinessState
        let notification: ServiceNotification

        func run() async throws {
            // Where it cannot listen, the server itself reports why.
            guard (try? await server.boundAddress()) != nil else { return await waitForShutdown() }
            readiness.becomeReady()
            notification.ready()
            notification.status("Serving.")
            StartPages.release()
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
