// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import NIOCore
    import NIOSSL
    import OIDCBroker
    import OIDCBrokerConfiguration
    import OIDCBrokerServer
    import OpenIDConnect
    import OpenIDRelyingParty

    /// All checks of a configuration against the world, which `check-config --live` makes.
    struct LiveChecks: Sendable {
        let configuration: LoadedConfiguration
        var clock: any UnixClock = SystemUnixClock()

        /// Makes all checks, those of several providers at the same time.
        /// - Returns: The checks of this server, then those of the store and of the accounts, and then those of the
        ///   providers in the order of the configuration.
        /// - Throws: An error of shutting the transport down, or of opening the store.
        func run(on group: any EventLoopGroup) async throws -> [LiveCheck] {
            var own = ownCertificate + (try await configuration.store.liveChecks(now: clock.now(), on: group.any()))
            if let accounts = configuration.accounts {
                own.append(try await accounts.liveCheck(beside: configuration.store, now: clock.now()))
            }
            let ofProviders = try await configuration.server.providerTransport.withTransport(on: group) { transport in
                let providers = configuration.broker.providers.map { provider in
                    ProviderChecks(
                        name: provider.name, client: configuration.broker.relyingPartyConfiguration(of: provider),
                        requiresIssuer: configuration.broker.requiresIssuer(from: provider), transport: transport,
                        eventLoop: group.any(), clock: clock)
                }
                return await withTaskGroup(of: (Int, [LiveCheck]).self) { tasks in
                    for (index, provider) in providers.enumerated() {
                        tasks.addTask { (index, await provider.run()) }
                    }
                    var results = [[LiveCheck]](repeating: [], count: providers.count)
                    for await (index, checks) in tasks { results[index] = checks }
                    for (index, provider) in configuration.broker.providers.enumerated() {
                        results[index] += secretCheck(provider)
                    }
                    return results.flatMap { $0 } + (await appKeys(transport, on: group))
                }
            }
            return own + ofProviders
        }

        /// The key sets of apps at their URLs, all at the same time.
        private func appKeys(_ transport: any ProviderTransport, on group: any EventLoopGroup) async -> [LiveCheck] {
            let apps = configuration.broker.apps.compactMap { app in
                app.jwksURI.flatMap { AbsoluteURL($0) }.map { (app: app, url: $0) }
            }
            return await withTaskGroup(of: (Int, LiveCheck).self) { tasks in
                for (index, (app, url)) in apps.enumerated() {
                    let keys = RemoteKeySet(
                        url: url, certificateAuthorities: app.certificateAuthorities, transport: transport,
                        elapsed: SystemElapsedClock())
                    let eventLoop = group.any()
                    tasks.addTask {
                        do {
                            let found = try await eventLoop.flatSubmit { keys.fetchOnce(on: eventLoop) }.get()
                            return (index, .appKeys(of: app.name, count: found.keys.count, nil))
                        } catch {
                            return (index, .appKeys(of: app.name, count: 0, error as? RelyingPartyError))
                        }
                    }
                }
                var checks: [(Int, LiveCheck)] = []
                for await check in tasks { checks.append(check) }
                return checks.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }

        /// When the client secret of a provider ends. Nothing if the configuration does not say so.
        private func secretCheck(_ provider: BrokerConfiguration.Provider) -> [LiveCheck] {
            guard provider.configuration.clientSecret != nil, let end = provider.clientSecretExpires else { return [] }
            return [.clientSecret(of: provider.name, end: end, now: clock.now())]
        }

        /// Our own certificate against the host of the public URL. Nothing if another server in front has it.
        private var ownCertificate: [LiveCheck] {
            guard let tls = configuration.server.tls else { return [] }
            let host = configuration.broker.publicURL.host
            guard let pem = ConfigurationFile.contents(atPath: tls.certificateChain),
                let certificate = NIOSSLCertificate.certificates(inPEM: pem).first
            else {
                return [
                    LiveCheck(
                        .certificate, of: nil, .wrong, found: "a file that cannot be read",
                        wanted: "a valid certificate for \(host)", advice: "Check server.tls.certificate-chain.")
                ]
            }
            return [.certificate(CertificateFacts(certificate, host: host), of: nil, host: host, now: clock.now())]
        }
    }
#endif
