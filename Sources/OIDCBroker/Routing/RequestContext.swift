// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import Logging
import NIOCore
import OIDCBrokerPages
import OIDCBrokerRecords

/// The values that every step of one request needs. It is a class because closures of each step capture it.
final class RequestContext: Sendable {
    /// The configuration, as it was when the request came.
    let snapshot: BrokerSnapshot
    let services: BrokerServices
    /// The event loop of the request's connection.
    let eventLoop: any EventLoop
    /// The request's logger, or else the broker's.
    let logger: Logger
    /// The address of the client; `nil` if it is not known, or belongs to a proxy that speaks for all clients.
    let client: IPAddress?
    /// The span of the request; `nil` without a tracer, if the endpoint has none, or if it would not be recorded.
    let span: RequestSpan?
    /// The time that an operation of a shared store has.
    let storeTimeout: TimeAmount
    private let headerFields: HTTPFields
    private let begin: NIODeadline

    init(
        snapshot: BrokerSnapshot, services: BrokerServices, eventLoop: any EventLoop, logger: Logger,
        headerFields: HTTPFields, client: IPAddress?, span: RequestSpan?,
        storeTimeout: TimeAmount = SingleUseAccess.shortPatience
    ) {
        self.storeTimeout = storeTimeout
        self.span = span
        self.client = client
        self.headerFields = headerFields
        self.snapshot = snapshot
        self.services = services
        self.eventLoop = eventLoop
        self.logger = logger
        begin = eventLoop.now
    }

    /// The time since the request came, in milliseconds.
    var elapsedMilliseconds: Int64 { (eventLoop.now - begin).nanoseconds / 1_000_000 }

    /// The store of logins and hand-offs, within the time that this request has for it.
    var store: SingleUseAccess { services.store.within(storeTimeout).traced(under: span) }

    /// The pages in a language that the app asked for, or else in the one that the user agent prefers.
    func pages(in language: Language? = nil) -> Pages {
        Pages(texts: (language ?? preferredLanguage).texts, theme: snapshot.theme)
    }

    /// The language that the user agent prefers.
    var preferredLanguage: Language {
        headerFields[.acceptLanguage].flatMap { LanguagePreferences.best(of: $0.utf8) } ?? .english
    }
}

/// A part of the broker that serves one request.
protocol RequestHandling: Sendable {
    var context: RequestContext { get }
}

extension RequestHandling {
    var snapshot: BrokerSnapshot { context.snapshot }
    var services: BrokerServices { context.services }
    /// The store of logins and hand-offs, within the time that this request has for it.
    var store: SingleUseAccess { context.store }
    var eventLoop: any EventLoop { context.eventLoop }
    var logger: Logger { context.logger }
    /// The store for reads that only choose the words of a page. No request has to wait for them.
    var briefStore: SingleUseAccess { context.store.within(SingleUseAccess.briefPatience) }
    var metrics: BrokerMetrics { context.services.metrics }
    var audit: AuditTrail { context.services.audit }
    var pages: Pages { context.pages() }
}
