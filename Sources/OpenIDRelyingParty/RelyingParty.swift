// SPDX-License-Identifier: Apache-2.0

import JOSE
package import NIOCore
package import OpenIDConnect
import Synchronization

/// A relying party of one OpenID Provider: makes authorization requests, exchanges codes, and returns a
/// ``VerifiedSignIn``.
///
/// It caches the provider's metadata and keys, which are fetched when they are first used, and holds no state of a
/// sign-in. Every function runs on the event loop that it is given.
public final class RelyingParty: Sendable {
    /// The configuration of the provider and of this client.
    public let configuration: ProviderConfiguration

    let transport: any ProviderTransport
    let clock: any UnixClock
    let policy: IDTokenPolicy
    let clientKeys: ClientKeys
    /// The tolerated difference of the provider's clock within its bounds, in seconds.
    package let clockSkew: Int64
    /// Whether the issuer is one that tokens spell in several ways. Otherwise the issuer is compared exactly.
    package let hasIssuerRule: Bool
    /// The URL of the provider's metadata; `nil` if the issuer is not a URL.
    private let discoveryURL: AbsoluteURL?
    /// The host and port at which this server reaches the provider, wherever browsers do; `nil` if they are not configured.
    private let serverSide: AbsoluteURL?
    private let observer: (any RelyingPartyObserver)?
    let metadataCache: MetadataCache
    let keySetCache: KeySetCache
    let circuits: ProviderCircuits
    let dpopNonces = DPoPNonces()
    /// The cached beginning of the authorization URL for an endpoint.
    let knownURLPrefix = Mutex<(endpoint: String, prefix: String)?>(nil)
    /// The time limit of one request: ``requestTimeout``, except in tests.
    private let timeout: TimeAmount
    /// The trust of requests: public addresses only, until the issuer itself is found to have a private one. See
    /// `fetchMetadata`.
    private let trust: Mutex<RequestTrust>

    /// The time limit of one request to the provider.
    package static let requestTimeout = TimeAmount.seconds(5)
    /// The time limit of all requests of one callback together.
    package static let callbackTimeout = TimeAmount.seconds(15)
    /// The maximum size of a key set, in bytes.
    package static let maximumKeySetBytes = 524_288

    /// Creates a relying party. Nothing is fetched yet, so the provider may be down.
    /// - Parameters:
    ///   - configuration: The configuration of the provider and of this client.
    ///   - transport: The transport that sends requests to the provider.
    ///   - clock: The wall clock, for the times in tokens.
    ///   - elapsed: The clock for the ages of metadata and keys and for pauses, which a change of the wall clock does
    ///     not affect.
    ///   - observer: An observer of the requests to the provider, and of problems with its keys.
    public convenience init(
        configuration: ProviderConfiguration,
        transport: any ProviderTransport,
        clock: any UnixClock = SystemUnixClock(),
        elapsed: any ElapsedClock = SystemElapsedClock(),
        observer: (any RelyingPartyObserver)? = nil
    ) {
        self.init(
            configuration: configuration, transport: transport, clock: clock, elapsed: elapsed,
            policy: configuration.profile.policy, observer: observer)
    }

    package init(
        configuration: ProviderConfiguration,
        transport: any ProviderTransport,
        clock: any UnixClock,
        elapsed: any ElapsedClock,
        policy: IDTokenPolicy,
        requestTimeout: TimeAmount = RelyingParty.requestTimeout,
        observer: (any RelyingPartyObserver)? = nil
    ) {
        self.observer = observer
        discoveryURL = AbsoluteURL(configuration.discoveryURL)
        serverSide = configuration.metadataURL.flatMap { AbsoluteURL($0) }
        self.configuration = configuration
        self.transport = transport
        self.clock = clock
        self.policy = policy
        timeout = requestTimeout
        clientKeys = ClientKeys(configuration)
        let bounds = ProviderConfiguration.clockSkewBounds
        clockSkew = min(max(bounds.lowerBound, configuration.clockSkew), bounds.upperBound).components.seconds
        if case .exact = IssuerRule.rule(forIssuer: configuration.issuer, tenants: configuration.tenants) {
            hasIssuerRule = false
        } else {
            hasIssuerRule = true
        }
        metadataCache = MetadataCache(elapsed: elapsed)
        keySetCache = KeySetCache(elapsed: elapsed) { observer?.expiredKeysServe($0) }
        circuits = ProviderCircuits(elapsed: elapsed, clock: clock)
        // An issuer whose host is this machine or a private address is not a public one. Where the metadata are elsewhere,
        // the issuer is not asked.
        let isPrivate =
            configuration.metadataURL == nil
            && AbsoluteURL(configuration.issuer).map { ConnectedAddress.isPrivateHost($0.host) } ?? false
        trust = Mutex(RequestTrust(configuration, addresses: isPrivate ? .any : .publicOnly))
    }

    /// Returns the provider's metadata, cached or fetched. The future fails with ``RelyingPartyError``.
    ///
    /// A fetch serves all callers that wait for it, so it has a time limit of its own, independent of the caller that
    /// began it.
    package func metadata(in scope: RequestScope) -> Eventual<ProviderMetadata> {
        metadataCache.metadata(on: scope.eventLoop) { [self] eventLoop in
            fetchMetadata(in: fetchScope(on: eventLoop, scope))
        }.bounded(by: scope.deadline, else: RelyingPartyError.transport(.discovery, .timedOut, at: discoveryURL))
    }

    /// Returns the provider's metadata like its overload, within the time limit of one request.
    package func metadata(on eventLoop: any EventLoop) -> Eventual<ProviderMetadata> {
        metadata(in: RequestScope(on: eventLoop, deadline: .now() + Self.requestTimeout))
    }

    /// The scope of a fetch that may serve several callers, and ends after the one that began it.
    private func fetchScope(on eventLoop: any EventLoop, _ scope: RequestScope) -> RequestScope {
        RequestScope(on: eventLoop, deadline: .now() + min(timeout, Self.callbackTimeout), trace: scope.trace)
    }

    func keySet(
        containing keyID: WireText?, metadata: ProviderMetadata, in scope: RequestScope
    ) -> Eventual<KeySet> {
        do throws(ProviderMetadataError) {
            let url = try metadata.requiredKeySetURL()
            return keySetCache.keySet(containing: keyID, on: scope.eventLoop) { [self] eventLoop in
                fetchKeySet(at: url, in: fetchScope(on: eventLoop, scope))
            }.bounded(by: scope.deadline, else: RelyingPartyError.transport(.keySet, .timedOut, at: url))
        } catch {
            return .failure(RelyingPartyError.metadata(error))
        }
    }

    /// The keys after a token did not verify with those there are; `nil` if there are no others.
    /// - Parameter namesKey: whether the token has a `kid`.
    func keySetAfterMismatch(
        namesKey: Bool, metadata: ProviderMetadata, in scope: RequestScope
    ) -> Eventual<KeySet>? {
        guard let url = metadata.keySetURL else { return nil }
        return keySetCache.keySetAfterMismatch(namesKey: namesKey, on: scope.eventLoop) { [self] eventLoop in
            fetchKeySet(at: url, in: fetchScope(on: eventLoop, scope))
        }?.bounded(by: scope.deadline, else: RelyingPartyError.transport(.keySet, .timedOut, at: url))
    }

    /// The time until a request of a step would be sent, in seconds and at least 1; `nil` if it would be sent now.
    ///
    /// This changes no state and guarantees nothing: another request may find the provider unreachable in the meantime.
    package func wait(before step: RelyingPartyError.Step) -> Int64? { circuits.circuit(of: step).wait() }

    /// Sends one request of a step, bounded by the time limit of a request and by the deadline of the scope. Nothing is
    /// sent while the circuit of the step is open.
    func send(
        _ step: RelyingPartyError.Step,
        to url: AbsoluteURL,
        authorization: String? = nil,
        form: String? = nil,
        proof: String? = nil,
        showsCertificate: Bool = false,
        trust override: ProviderTrust? = nil,
        maximumBytes: Int,
        in scope: RequestScope
    ) -> Eventual<ProviderResponse> {
        let circuit = circuits.circuit(of: step)
        guard let permit = circuit.admit() else {
            return .failure(RelyingPartyError.transport(step, .circuitOpen, at: url))
        }
        let eventLoop = scope.eventLoop
        var request = ProviderRequest(
            url: url, authorization: authorization, content: form.map { .form($0) }, maximumResponseBytes: maximumBytes,
            deadline: min(scope.deadline, .now() + timeout),
            trust: override ?? trust(of: url, showsCertificate: showsCertificate))
        request.owner = ObjectIdentifier(self)
        request.accept = step.accept
        if let proof {
            request.isProved = true
            request.additionalFields.append((name: "dpop", value: proof))
        }
        let begin = observer.map { _ in eventLoop.now }
        let isTold = configuration.traceContext
        let span = scope.trace?.begin(step, isTold: isTold)
        if let span, isTold { request.additionalFields += span.fields }
        // What follows stays on the event loop, also if a transport of an embedder does not.
        return Eventual.future(transport.execute(request, on: eventLoop).hop(to: eventLoop)).flatMapResult {
            [observer] result in
            circuit.ended(permit, result)
            if let observer, let begin { observer.requestEnded(step, after: eventLoop.now - begin) }
            span?.end(result)
            switch result {
            case .success(let response): return .value(response)
            case .failure(let error):
                return .failure(
                    RelyingPartyError.transport(step, error as? ProviderTransportError ?? .unreachable, at: url))
            }
        }
    }

    /// Whether the metadata come over http, by a configured URL.
    var readsMetadataOverHTTP: Bool { serverSide?.isHTTPS == false }

    /// Whether a URL is of the host and port of ``ProviderConfiguration/metadataURL``, with its scheme.
    func isServerSide(_ url: AbsoluteURL) -> Bool {
        guard let serverSide else { return false }
        return url.isHTTPS == serverSide.isHTTPS && url.authority.hasSameBytes(as: serverSide.authority)
    }

    private func trust(of url: AbsoluteURL, showsCertificate: Bool) -> ProviderTrust {
        var chosen = self.trust.withLock { showsCertificate ? $0.withCertificate : $0.plain }
        // The operator names this host. What is not encrypted does not leave the private network.
        if isServerSide(url) { chosen.addresses = url.isHTTPS ? .any : .privateOnly }
        return chosen
    }

    private func fetchMetadata(in scope: RequestScope) -> Eventual<FetchedDocument<ProviderMetadata>> {
        let issuer = configuration.issuer
        let allowsLoopbackHTTP = configuration.insecureLoopbackIssuer
        guard let url = discoveryURL,
            serverSide != nil
                ? configuration.metadataURLError == nil : url.isHTTPS || (allowsLoopbackHTTP && url.isLoopback)
        else { return .failure(RelyingPartyError.unusable(.discovery, "the issuer is not https")) }
        return send(.discovery, to: url, maximumBytes: ProviderMetadata.maximumBytes, in: scope).flatMap {
            .value($0)
        } failure: { [self] error in
            // The operator configured this issuer. If its own address is private, as in a company network, it is not a
            // public issuer and its endpoints may be private too. Nothing has been sent yet.
            guard (error as? RelyingPartyError)?.isAddressRefused == true, serverSide == nil else {
                return .failure(error)
            }
            // Only a private address is allowed here: a name that resolves first to a private and then to a public
            // address is that of a public issuer, whose endpoints must not be private.
            let wide = trust.withLock { $0.forPrivateIssuer }
            // The wider trust is kept only once a server has responded, which with TLS has a certificate for the
            // issuer's host.
            return send(
                .discovery, to: url, trust: wide, maximumBytes: ProviderMetadata.maximumBytes, in: scope
            ).flatMapThrowing { response in
                self.trust.withLock { $0.allowAnyAddress() }
                return response
            }
        }.flatMapThrowing { [self] response in
            try checkDocument(response, .discovery)
            let addresses = trust.withLock { $0.plain.addresses }
            let metadata: ProviderMetadata
            do {
                metadata = try ProviderMetadata(
                    json: Array(response.body.readableBytesView), issuer: issuer,
                    allowsLoopbackHTTP: allowsLoopbackHTTP, serverOrigin: serverSide?.origin,
                    isAllowed: { [self] in isAllowed($0, addresses) },
                    issuerTemplateAllowed: !configuration.tenants.isEmpty)
            } catch {
                throw RelyingPartyError.unusable(.discovery, "\(error)")
            }
            if let error = unsuitability(of: metadata) { observer?.signInsCannotSucceed(error) }
            return FetchedDocument(metadata, lifetime: FreshnessLifetime(cacheControl: response.cacheControl))
        }.flatMapErrorThrowing { error in throw (error as? RelyingPartyError)?.at(url) ?? error }
    }

    private func fetchKeySet(
        at url: AbsoluteURL, in scope: RequestScope
    ) -> Eventual<FetchedDocument<KeySet>> {
        send(.keySet, to: url, maximumBytes: Self.maximumKeySetBytes, in: scope).flatMapThrowing { [self] response in
            try checkDocument(response, .keySet)
            do {
                let keys = try KeySet(json: Array(response.body.readableBytesView))
                if keys.containsSecrets {
                    observer?.privateKeysPublished(
                        keys.skipped.filter { $0.reason == .privateMembers }.map { $0.keyID ?? "none" })
                }
                return FetchedDocument(keys, lifetime: FreshnessLifetime(cacheControl: response.cacheControl))
            } catch {
                throw RelyingPartyError.unusable(.keySet, "\(error)")
            }
        }.flatMapErrorThrowing { error in throw (error as? RelyingPartyError)?.at(url) ?? error }
    }
}
