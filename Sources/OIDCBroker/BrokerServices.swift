// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OpenIDConnect
import OpenIDRelyingParty

/// The services that do not depend on the configuration. It is a class because closures of requests capture it: one
/// reference count instead of one for each member.
final class BrokerServices: Sendable {
    let transport: any ProviderTransport
    /// The store of logins and hand-offs.
    let store: SingleUseAccess
    let clock: any UnixClock
    let elapsed: any ElapsedClock
    let logger: Logger
    /// The time of a response, for the handlers that write it.
    let responseDate: ResponseDate
    /// The store of claims that live for a day. See ``SingleUseStores/access(clock:metricsFactory:logger:)``.
    let lastingStore: SingleUseAccess
    /// The embedder's handler of providers' notifications; `nil` to use the webhook, if one is configured.
    let notificationHandler: (any NotificationHandler)?
    /// The notifications that are being delivered in this process.
    let notificationsInFlight = NotificationsInFlight()
    /// The signatures that are waited for.
    let signing: SigningQueue
    /// The requests of each client address in the recent past.
    let clients: ClientRequests
    /// The limits on who asks.
    let limiter: RequestLimiter
    /// What is counted and measured.
    let metrics: BrokerMetrics
    /// The audit.
    let audit: AuditTrail
    /// What makes the spans; `nil` without a tracer.
    let tracing: BrokerTracing?
    /// The log lines that were written in the recent past.
    private let repeatedLines = RepeatedEvents()

    init(
        transport: any ProviderTransport, store: SingleUseAccess, lastingStore: SingleUseAccess, clock: any UnixClock,
        elapsed: any ElapsedClock, logger: Logger, notificationHandler: (any NotificationHandler)?,
        clientLimits: ClientLimits, requestLimits: RequestLimits, memory: MemoryBudget, signing: SigningQueue,
        metrics: BrokerMetrics = BrokerMetrics(), audit: AuditTrail = AuditTrail(nil), tracing: BrokerTracing? = nil
    ) {
        self.tracing = tracing
        self.metrics = metrics
        self.audit = audit
        self.transport = transport
        self.store = store
        self.clock = clock
        responseDate = ResponseDate(clock: clock)
        self.elapsed = elapsed
        self.logger = logger
        self.lastingStore = lastingStore
        self.notificationHandler = notificationHandler
        self.signing = signing
        clients = ClientRequests(clientLimits, clock: elapsed)
        limiter = RequestLimiter(requestLimits, memory: memory, clock: elapsed, metrics: metrics)
    }

    /// Returns what a log line says about omitted lines of its kind; `nil` if it is to be omitted itself.
    /// - Parameters:
    ///   - provider: The ``ProviderEntry/number`` of the provider; `nil` if there is none, or it is not known.
    ///   - login: The reference of the login; `nil` if there is none.
    func repetition(
        of line: RepeatableEvent, at place: RepeatableEvent.Place = .callback, provider: UInt64? = nil,
        login: PageReference? = nil
    ) -> Logger.Metadata? {
        self.line(line, at: place, provider: provider, login: login).metadata
    }

    /// Returns a log line that clients can cause at will.
    /// - Parameters:
    ///   - provider: The ``ProviderEntry/number`` of the provider; `nil` if there is none, or it is not known.
    ///   - login: The reference of the login; `nil` if there is none.
    func line(
        _ line: RepeatableEvent, at place: RepeatableEvent.Place = .callback, provider: UInt64? = nil,
        login: PageReference? = nil
    ) -> ReferencedLine {
        let (action, reference) = repeatedLines.note(
            line, at: place, provider: provider, login: login, now: clock.now())
        return ReferencedLine(reference: reference, action: action)
    }

    func makeKeySet(_ url: AbsoluteURL, _ certificateAuthorities: [UInt8]?) -> RemoteKeySet {
        RemoteKeySet(
            url: url, certificateAuthorities: certificateAuthorities, transport: transport, elapsed: elapsed)
    }

    /// - Parameter provider: The provider's ID, as it appears in logs and metrics.
    func makeRelyingParty(_ configuration: ProviderConfiguration, provider: String) -> RelyingParty {
        RelyingParty(
            configuration: configuration, transport: transport, clock: clock, elapsed: elapsed,
            observer: ProviderKeysLog(provider: provider, logger: logger, metrics: metrics))
    }
}
