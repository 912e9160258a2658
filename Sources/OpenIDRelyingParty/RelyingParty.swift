// SPDX-License-Identifier: Apache-2.0

import JOSE
package import NIOCore
package import OpenIDConnect
import Synchronization

/// One OpenID Provider's relying party: sends browsers there, exchanges the code, and gives a ``VerifiedSignIn``.
///
/// It keeps the provider's metadata and keys, both fetched at their first use, and no state of a sign-in. Everything runs
/// on the event loop it is called on.
public final class RelyingParty: Sendable {
    /// The provider.
    public let configuration: ProviderConfiguration

    let transport: any ProviderTransport
    let clock: any UnixClock
    let policy: IDTokenPolicy
    let clientKeys: ClientKeys
    /// Whether the issuer is one of those that tokens spell in several ways; else it is compared exactly.
    package let hasIssuerRule: Bool
    /// Where the metadata are; nil for an issuer that is no URL.
    private let discoveryURL: AbsoluteURL?
    private let observer: (any RelyingPartyObserver)?
    private let metadataCache: MetadataCache
    private let keySetCache: KeySetCache
    private let circuits: ProviderCircuits
    /// The beginning of every authorization URL to an endpoint.
    let knownURLPrefix = Mutex<(endpoint: String, prefix: String)?>(nil)
    /// ``requestTimeout``, except in tests.
    private let timeout: TimeAmount
    /// Narrow until the issuer itself turns out to have a private address; see `fetchMetadata`.
    private let trust: Mutex<RequestTrust>

    /// One request to the provider may take this long.
    package static let requestTimeout = TimeAmount.seconds(5)
    /// All requests of one callback together may take this long.
    package static let callbackTimeout = TimeAmount.seconds(15)
    /// The largest key set, bytes.
    package static let maximumKeySetBytes = 524_288

    /// A relying party. Nothing is fetched yet: the provider may be down.
    /// - Parameters:
    ///   - configuration: the provider, and this client of it.
    ///   - transport: how the provider is reached.
    ///   - clock: the wall clock, for what tokens say of time.
    ///   - elapsed: for what is kept here: the ages of metadata and keys, and pauses. Whoever sets the wall clock changes
    ///     nothing of it.
    ///   - observer: hears what is wrong with the provider's keys.
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
        discoveryURL = AbsoluteURL(ProviderMetadata.url(ofIssuer: configuration.issuer))
        self.configuration = configuration
        self.transport = transport
        self.clock = clock
        self.policy = policy
        timeout = requestTimeout
        clientKeys = ClientKeys(configuration)
        if case .exact = IssuerRule.rule(forIssuer: configuration.issuer, tenants: configuration.issuerTenants) {
            hasIssuerRule = false
        } else {
            hasIssuerRule = true
        }
        metadataCache = MetadataCache(elapsed: elapsed)
        keySetCache = KeySetCache(elapsed: elapsed) { observer?.expiredKeysServe($0) }
        circuits = ProviderCircuits(elapsed: elapsed, clock: clock)
        // An issuer that names this machine or a private address says itself that it is not a public one.
        let isPrivate = AbsoluteURL(configuration.issuer).map { ConnectedAddress.isPrivateHost($0.host) } ?? false
        trust = Mutex(RequestTrust(configuration, addresses: isPrivate ? .any : .publicOnly))
    }

    /// The provider's metadata, cached or fetched; fails with ``RelyingPartyError``. A fetch serves everybody who waits,
    /// and so has its own time limit, whatever is left of the time of whoever began it.
    package func metadata(
        on eventLoop: any EventLoop,
        deadline: NIODeadline = .now() + RelyingParty.requestTimeout
    ) -> Eventual<ProviderMetadata> {
        metadataCache.metadata(on: eventLoop) { [self] eventLoop in
            fetchMetadata(on: eventLoop, deadline: sharedFetchDeadline)
        }.bounded(by: deadline, else: .transport(.discovery, .timedOut, at: discoveryURL))
    }

    /// When a fetch that serves others too must be done.
    private var sharedFetchDeadline: NIODeadline { .now() + min(timeout, Self.callbackTimeout) }

    func keySet(
        containing keyID: WireText?,
        metadata: ProviderMetadata,
        deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> Eventual<KeySet> {
        keySetCache.keySet(containing: keyID, on: eventLoop) { [self] eventLoop in
            fetchKeySet(metadata: metadata, deadline: sharedFetchDeadline, on: eventLoop)
        }.bounded(by: deadline, else: .transport(.keySet, .timedOut, at: metadata.keySetURL))
    }

    /// The keys after a token did not verify with those there are; `nil` if there are no others.
    /// - Parameter namesKey: whether the token has a `kid`.
    func keySetAfterMismatch(
        namesKey: Bool,
        metadata: ProviderMetadata,
        deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> Eventual<KeySet>? {
        keySetCache.keySetAfterMismatch(namesKey: namesKey, on: eventLoop) { [self] eventLoop in
            fetchKeySet(metadata: metadata, deadline: sharedFetchDeadline, on: eventLoop)
        }?.bounded(by: deadline, else: .transport(.keySet, .timedOut, at: metadata.keySetURL))
    }

    /// How long until it is worth sending a request of a step, seconds, at least 1; `nil` if one would be sent now.
    /// Changes nothing, and promises nothing: another request may find the provider out of reach in between.
    package func wait(before step: RelyingPartyError.Step) -> Int64? { circuits.circuit(of: step).wait() }

    /// Sends one request of a step, bounded by the step's own and the whole deadline; nothing where the step's circuit is
    /// open.
    func send(
        _ step: RelyingPartyError.Step,
        to url: AbsoluteURL,
        authorization: String? = nil,
        form: String? = nil,
        showsCertificate: Bool = false,
        trust override: ProviderTrust? = nil,
        maximumBytes: Int,
        deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<ProviderResponse> {
        let circuit = circuits.circuit(of: step)
        guard let admission = circuit.admit() else {
            return eventLoop.makeFailedFuture(RelyingPartyError.transport(step, .circuitOpen, at: url))
        }
        var request = ProviderRequest(
            url: url, authorization: authorization, form: form, maximumResponseBytes: maximumBytes,
            deadline: min(deadline, .now() + timeout),
            trust: override ?? trust.withLock { showsCertificate ? $0.withCertificate : $0.plain })
        request.owner = ObjectIdentifier(self)
        let response = transport.execute(request, on: eventLoop)
        response.whenComplete { circuit.ended(admission, $0) }
        return response.flatMapErrorThrowing { error in
            throw RelyingPartyError.transport(step, error as? ProviderTransportError ?? .unreachable, at: url)
        }
    }

    private func fetchMetadata(
        on eventLoop: any EventLoop, deadline: NIODeadline
    ) -> EventLoopFuture<FetchedDocument<ProviderMetadata>> {
        let issuer = configuration.issuer
        let allowsLoopbackHTTP = configuration.allowsInsecureLoopbackIssuer
        guard let url = discoveryURL,
            url.isHTTPS || (allowsLoopbackHTTP && url.isLoopback)
        else { return eventLoop.makeFailedFuture(RelyingPartyError.unusable(.discovery, "the issuer is not https")) }
        return send(
            .discovery, to: url, maximumBytes: ProviderMetadata.maximumBytes, deadline: deadline, on: eventLoop
        ).flatMapError { [self] error in
            // The operator named this issuer. Where its own address is private, as in a company's network, it is not a
            // public issuer, and its endpoints may be private too. Nothing was sent yet.
            guard (error as? RelyingPartyError)?.isAddressRefused == true else {
                return eventLoop.makeFailedFuture(error)
            }
            // At a private address or not at all: a name that leads to a private address first and to its public one
            // then is that of a public issuer, whose endpoints may not be private.
            let wide = trust.withLock { $0.forPrivateIssuer }
            // Kept only once a server answered there: with TLS, one that has the issuer's certificate.
            return send(
                .discovery, to: url, trust: wide, maximumBytes: ProviderMetadata.maximumBytes, deadline: deadline,
                on: eventLoop
            ).map { response in
                self.trust.withLock { $0.allowAnyAddress() }
                return response
            }
        }.flatMapThrowing { [self] response in
            try checkDocument(response, .discovery)
            let metadata: ProviderMetadata
            do {
                metadata = try ProviderMetadata(
                    json: Array(response.body.readableBytesView), issuer: issuer,
                    allowsLoopbackHTTP: allowsLoopbackHTTP,
                    issuerTemplateAllowed: !configuration.issuerTenants.isEmpty)
            } catch {
                throw RelyingPartyError.unusable(.discovery, "\(error)")
            }
            try checkEndpointHosts(metadata, trust.withLock { $0.plain.addresses })
            return FetchedDocument(metadata, lifetime: FreshnessLifetime(cacheControl: response.cacheControl))
        }.flatMapErrorThrowing { error in throw (error as? RelyingPartyError)?.at(url) ?? error }
    }

    private func fetchKeySet(
        metadata: ProviderMetadata,
        deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<FetchedDocument<KeySet>> {
        send(
            .keySet, to: metadata.keySetURL, maximumBytes: Self.maximumKeySetBytes, deadline: deadline, on: eventLoop
        ).flatMapThrowing { [self] response in
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
        }.flatMapErrorThrowing { error in throw (error as? RelyingPartyError)?.at(metadata.keySetURL) ?? error }
    }
}
