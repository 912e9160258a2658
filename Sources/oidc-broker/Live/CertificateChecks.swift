// SPDX-License-Identifier: Apache-2.0

#if Server
    import NIOCore
    import OpenIDConnect
    import OpenIDRelyingParty

    /// The checks of the certificates of a provider's hosts, by connections on which nothing but a handshake is sent.
    struct CertificateChecks: Sendable {
        /// The name of the provider in the configuration.
        let name: String
        let client: ProviderConfiguration
        /// The endpoint to which the client shows its certificate, without which a server may refuse the handshake; `nil`
        /// if there is none.
        var mutualTLSEndpoint: AbsoluteURL?
        let eventLoop: any EventLoop
        /// The current time, in seconds since 1970.
        let now: Int64

        /// The time limit of one handshake.
        private static let timeout = TimeAmount.seconds(5)

        /// Checks the issuer's host and those of further URLs, each once. Hosts that are reached by http have no
        /// certificate.
        func run(_ urls: [AbsoluteURL]) async -> [LiveCheck] {
            guard let issuer = AbsoluteURL(client.metadataURL ?? client.issuer) else { return [] }
            var seen: Set<String> = []
            let hosts = ([issuer] + urls).filter { $0.isHTTPS && seen.insert($0.authority).inserted }
            guard client.proxy == nil else {
                return hosts.map {
                    LiveCheck(
                        .certificate, of: name, .unknown, found: "\($0.authority): not checked, because of the proxy",
                        wanted: "a valid certificate")
                }
            }
            // As for requests: only an issuer that has a private address itself may have endpoints at others.
            var addresses = ProviderTrust.Addresses.any
            var checks: [LiveCheck] = []
            for url in hosts {
                let (check, isPrivate) = await self.check(url, addresses)
                checks.append(check)
                if url == issuer { addresses = isPrivate && client.metadataURL == nil ? .any : .publicOnly }
            }
            return checks
        }

        private func check(
            _ url: AbsoluteURL, _ addresses: ProviderTrust.Addresses
        ) async -> (check: LiveCheck, isPrivate: Bool) {
            do {
                let peer = try await fetch(url, addresses, verifies: true)
                return (judged(peer, url), peer.isPrivate)
            } catch {
                guard error == .untrusted, let peer = try? await fetch(url, addresses, verifies: false) else {
                    return (failed(url, error), false)
                }
                // Only to say why: it says nothing of the server that it presents this certificate.
                let check = judged(peer, url)
                return (check.verdict == .wrong ? check : failed(url, error), peer.isPrivate)
            }
        }

        private func judged(_ peer: PeerCertificate, _ url: AbsoluteURL) -> LiveCheck {
            .certificate(
                CertificateFacts(peer.certificate, host: url.host), of: name, host: url.authority, now: now)
        }

        private func failed(_ url: AbsoluteURL, _ error: ProviderTransportError) -> LiveCheck {
            .failed(
                .certificate, of: name, wanted: "\(url.authority): a certificate that is trusted for this host",
                .transport(.discovery, error), hasAuthorities: client.certificateAuthorities != nil)
        }

        private func fetch(
            _ url: AbsoluteURL, _ addresses: ProviderTrust.Addresses, verifies: Bool
        ) async throws(ProviderTransportError) -> PeerCertificate {
            do {
                return try await PeerCertificate.fetch(
                    host: url.host, port: url.port ?? 443, certificateAuthorities: client.certificateAuthorities,
                    // Only the verified server learns the client's identity.
                    clientCertificate: verifies && url == mutualTLSEndpoint ? client.clientCertificate : nil,
                    verifies: verifies, addresses: addresses, deadline: .now() + Self.timeout, on: eventLoop
                ).get()
            } catch {
                throw error as? ProviderTransportError ?? .unreachable
            }
        }
    }
#endif
