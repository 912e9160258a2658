// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import NIOCore
    import OpenIDConnect
    import OpenIDRelyingParty

    /// The checks of one provider, by the relying party that the broker would have.
    struct ProviderChecks: Sendable {
        /// The name of the provider in the configuration.
        let name: String
        let client: ProviderConfiguration
        /// Whether the provider must announce `iss`, because it shares its callback path.
        let requiresIssuer: Bool
        let transport: any ProviderTransport
        let eventLoop: any EventLoop
        let clock: any UnixClock

        func run() async -> [LiveCheck] {
            let recorder = RecordingTransport(transport, clock: clock)
            let party = RelyingParty(configuration: client, transport: recorder, clock: clock)
            let metadata: ProviderMetadata
            do {
                metadata = try await onLoop { party.metadata(on: $0).future(on: $0) }
                try party.checkNeededMembers(of: metadata)
            } catch {
                return [discoveryFailure(error, recorder)] + clockCheck(recorder) + redirectURI
                    + (await certificates(party, nil))
            }
            var checks = [
                LiveCheck(
                    .discovery, of: name, .ok, found: "issuer '\(metadata.issuer)'", wanted: "issuer '\(client.issuer)'"
                )
            ]
            checks += await keyChecks(party, metadata)
            checks += party.checks(of: metadata, provider: name, requiresIssuer: requiresIssuer)
            checks += clockCheck(recorder)
            checks += await certificates(party, metadata)
            let pushed = await pushCheck(party, metadata)
            checks += pushed.contains { $0.subject == .redirectURI } ? [] : redirectURI
            checks += pushed
            let client = await clientCheck(party, metadata, recorder)
            // What a probe found outweighs an announcement.
            if let client { checks = checks.map { $0.outweighed(by: client) } }
            return checks + [client].compactMap { $0 }
        }

        // MARK: The checks

        private func discoveryFailure(_ error: RelyingPartyError, _ recorder: RecordingTransport) -> LiveCheck {
            let wanted = "the metadata of issuer '\(client.issuer)'"
            let document = recorder.document(at: client.discoveryURL)
            if let announced = document.flatMap({ issuer(in: $0.body) }), !announced.hasSameBytes(as: client.issuer),
                client.tenants.isEmpty
            {
                // A name that browsers do not know would only lead to the next failure.
                let isInternal = AbsoluteURL(client.issuer).map { ConnectedAddress.isPrivateHost($0.host) } ?? false
                let isElsewhere = AbsoluteURL(announced).map { !ConnectedAddress.isPrivateHost($0.host) } ?? false
                return LiveCheck(
                    .discovery, of: name, .wrong, found: "the metadata of issuer '\(announced)'", wanted: wanted,
                    advice: isInternal && isElsewhere && client.metadataURL == nil
                        ? "Set auth.provider.\(name).issuer to '\(announced)', and metadata-url to "
                            + "'\(client.discoveryURL)', at which this server reaches it."
                        : "Set auth.provider.\(name).issuer to the provider's issuer, byte for byte.")
            }
            return .failed(
                .discovery, of: name, wanted: wanted, error,
                hasAuthorities: client.certificateAuthorities != nil)
        }

        private func issuer(in body: [UInt8]) -> String? {
            let limits = JSONLimits(maximumBytes: ProviderMetadata.maximumBytes)
            return (try? JSONParser.object(body, limits: limits))?["issuer"]?.text?
                .ascii(atMost: AbsoluteURL.maximumLength)
        }

        private func keyChecks(_ party: RelyingParty, _ metadata: ProviderMetadata) async -> [LiveCheck] {
            do {
                let keys = try await onLoop { party.publishedKeys(metadata, on: $0) }
                return party.checks(of: keys, metadata, provider: name)
            } catch {
                return [
                    .failed(
                        .keys, of: name, wanted: "the provider's key set", error,
                        hasAuthorities: client.certificateAuthorities != nil)
                ]
            }
        }

        /// Nothing without a response of the provider.
        private func clockCheck(_ recorder: RecordingTransport) -> [LiveCheck] {
            guard let document = recorder.document(at: client.discoveryURL) else { return [] }
            return [
                .clock(
                    of: name, serverTime: document.serverTime, now: document.receivedAt,
                    clockSkew: client.clockSkew.components.seconds)
            ]
        }

        private func certificates(_ party: RelyingParty, _ metadata: ProviderMetadata?) async -> [LiveCheck] {
            let endpoint = metadata.flatMap { party.tokenEndpoint($0) }
            let checks = CertificateChecks(
                name: name, client: client,
                mutualTLSEndpoint: endpoint.flatMap { $0.showsCertificate ? $0.url : nil }, eventLoop: eventLoop,
                now: clock.now())
            return await checks.run([endpoint?.url, metadata?.keySetURL].compactMap { $0 })
        }

        /// Nothing if the provider is used for native credentials only.
        private var redirectURI: [LiveCheck] {
            guard !client.clientID.isEmpty else { return [] }
            return [
                LiveCheck(
                    .redirectURI, of: name, .unknown, found: "cannot be checked automatically",
                    wanted: client.redirectURI, advice: "Register exactly this URI.")
            ]
        }

        /// Nothing where requests cannot be pushed.
        private func pushCheck(_ party: RelyingParty, _ metadata: ProviderMetadata) async -> [LiveCheck] {
            guard !client.clientID.isEmpty, metadata.pushedAuthorizationEndpoint != nil else { return [] }
            var failure: RelyingPartyError?
            do {
                try await onLoop { party.probePush(metadata, on: $0) }
            } catch {
                failure = error
            }
            return LiveCheck.pushedRequest(
                of: name, isUsed: party.pushes(metadata), redirectURI: client.redirectURI, failure)
        }

        /// `nil` if there is no code to exchange.
        private func clientCheck(
            _ party: RelyingParty, _ metadata: ProviderMetadata, _ transport: any ProviderTransport
        ) async -> LiveCheck? {
            guard !client.clientID.isEmpty, client.responseType.hasCode else { return nil }
            let method = party.clientAuthenticationName(metadata) ?? "no method"
            do {
                let probe = try await onLoop { party.probeClient(metadata, on: $0) }
                if probe == .accepted, let check = await strangerCheck(method, metadata, transport) { return check }
                return .client(of: name, method: method, probe, advice: party.encodingAdvice(metadata))
            } catch {
                return .failed(
                    .client, of: name, wanted: "a response of the token endpoint", error,
                    hasAuthorities: client.certificateAuthorities != nil)
            }
        }

        /// `nil` if the provider refuses a client that cannot be right, and so looks at it before the code.
        private func strangerCheck(
            _ method: String, _ metadata: ProviderMetadata, _ transport: any ProviderTransport
        ) async -> LiveCheck? {
            guard let (other, what) = stranger(method) else { return nil }
            let party = RelyingParty(configuration: other, transport: transport, clock: clock)
            do {
                let probe = try await onLoop { party.probeClient(metadata, on: $0) }
                return probe == .accepted ? .clientNotLookedAt(of: name, method: method, other: what) : nil
            } catch {
                let found = "invalid_grant, but with a random \(what): \(error)"
                return .client(of: name, method: method, .undecided(found))
            }
        }

        /// The client with a secret that cannot be right, or by a method that does not use the secret with an id that
        /// cannot be known; `nil` if its secret is made when it is needed.
        private func stranger(_ method: String) -> (client: ProviderConfiguration, what: String)? {
            guard client.profile == .openIDConnect else { return nil }
            var other = client
            let random = Base64URL.encode(SecureRandom.bytes(48))
            guard !method.hasPrefix("client_secret_") else {
                other.clientSecret = Secret(random)
                return (other, "secret")
            }
            other.clientID = random
            return (other, "client id")
        }

        private func onLoop<Value: Sendable>(
            _ body: @escaping @Sendable (any EventLoop) -> EventLoopFuture<Value>
        ) async throws(RelyingPartyError) -> Value {
            let eventLoop = eventLoop
            do {
                return try await eventLoop.flatSubmit { body(eventLoop) }.get()
            } catch {
                throw error as? RelyingPartyError ?? .transport(.discovery, .interrupted)
            }
        }
    }
#endif
