// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import JOSE
package import NIOCore
import OIDCBrokerConfiguration
package import OIDCBrokerHTTP
package import OIDCBrokerPages
package import OIDCBrokerRecords
package import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

// Logins that an extension begins, and the pages around them.
extension BrokerAccess {
    /// Whether a request is the navigation of a browser to a document, or of a browser that does not say (W3C Fetch
    /// Metadata).
    package func isNavigation(_ request: BrokerRequest) -> Bool { FetchMetadata.isDocumentNavigation(request) }

    /// Whether a page of another origin had a browser send the request, also as a navigation (W3C Fetch Metadata). A
    /// program does not say so.
    package func isOfAnotherOrigin(_ request: BrokerRequest) -> Bool {
        FetchMetadata.isOfAnotherOrigin(request.headerFields)
    }

    /// Whether a browser only prefetches the page, so that nothing may begin or be used up.
    package func isPrefetch(_ request: BrokerRequest) -> Bool { FetchMetadata.isPrefetch(request.headerFields) }

    /// Begins a login: sends the user agent to the provider, with the cookie of the login. The future does not fail.
    /// - Parameters:
    ///   - login: What the login belongs to.
    ///   - owner: Who begins it.
    ///   - provider: The provider.
    ///   - parameters: The authorization parameters for the provider. Those that it does not allow are left out.
    ///   - scopes: The scopes that the client asks for. Those of the provider's `app-scopes`, `profile` and `email` are
    ///     asked for at the provider, beside its own.
    ///   - language: The language of the pages; `nil` for that of the user agent.
    ///   - request: The request.
    package func begin(
        _ login: ExtensionLogin, of owner: any LoginOwner, at provider: Provider,
        parameters: [(name: String, value: String)], scopes: [String], language: Language?, for request: BrokerRequest
    ) -> EventLoopFuture<BrokerResponse> {
        ExtensionStart(context: context).begin(
            login, of: owner, at: provider.entry, parameters: parameters, scopes: scopes, language: language,
            for: request
        ).future(on: context.eventLoop)
    }

    /// Returns the page of a start that is refused, counts it and writes it into the log and the audit.
    /// - Parameters:
    ///   - reason: A sentence for the developer of the client, for the page and the log. Of what was received it may have
    ///     the name of a parameter, in visible ASCII of a bounded length, and nothing else.
    ///   - status: The status of the page.
    ///   - client: The name of the client in the configuration; `nil` if it is not known.
    ///   - title: The title of the client on pages; `nil` for a name that is made from the one in the configuration.
    ///   - provider: The provider; `nil` if it is not known.
    ///   - response: What the user agent gets instead of the page; `nil` for the page.
    package func refuseStart(
        _ reason: String, status: HTTPResponse.Status = .badRequest, client: String? = nil, title: String? = nil,
        provider: Provider? = nil, response: BrokerResponse? = nil
    ) -> BrokerResponse {
        ExtensionStart(context: context).refuse(
            reason, status, client: client, displayedName: client.map { DisplayedName.name(title: title, key: $0) },
            provider: provider?.id, response: response)
    }

    /// Returns a page that names the client and the provider of a start, which goes on by a click, and counts it.
    /// - Parameters:
    ///   - client: The name of the client in the configuration.
    ///   - title: The title of the client on pages; `nil` for a name that is made from the one in the configuration.
    ///   - provider: The provider.
    ///   - target: The path and the query on this origin that the click leads to.
    ///   - language: The language of the page; `nil` for that of the user agent.
    package func askForStart(
        of client: String, title: String?, at provider: Provider, target: String, language: Language?
    ) -> BrokerResponse {
        ExtensionStart(context: context).ask(
            client: client, displayedName: DisplayedName.name(title: title, key: client), provider: provider.entry,
            target: target, language: language)
    }

    /// Takes, once, a sign-in that waits for a page to claim it (``LoginDelivery/waitingForClaim(_:_:)``), with the cookie
    /// of its login, which the response deletes. Without the cookie there is a page, and nothing is used up. The future
    /// does not fail.
    /// - Parameters:
    ///   - login: The ID of the login as received, the base64url of 16 bytes; `nil` if the request cannot be read, as
    ///     the page says.
    ///   - purpose: The purpose of the extension's logins.
    ///   - request: The request, which must be a navigation.
    ///   - work: Hands the sign-in over. Its parameters are the bytes that waited, and the login. The future fails as that
    ///     of ``LoginOwner/deliver(_:name:of:with:)`` does.
    package func claim(
        _ login: WireText?, of purpose: String, for request: BrokerRequest,
        _ work: @escaping @Sendable ([UInt8], ReturnedLogin) -> EventLoopFuture<BrokerResponse>
    ) -> EventLoopFuture<BrokerResponse> {
        ClaimEndpoint(context: context).respond(to: request, login: login, of: purpose, work)
            .future(on: context.eventLoop)
    }

    /// Returns the page of a login that ended.
    package func page(of outcome: Outcome, _ login: ReturnedLogin) -> BrokerResponse {
        .page(
            outcome.page(
                context.pages(in: login.language), appName: context.snapshot.displayedName(of: login.login),
                reference: login.reference, link: nil))
    }

    /// Returns the page of a popup that posts an event to the window that opened it.
    /// - Parameters:
    ///   - data: JSON with the members `origin` and `authEvent`, in which `<` is written as an escape.
    ///   - language: The language of the page; `nil` for that of the user agent.
    package func page(posting data: String, language: Language?) -> BrokerResponse {
        .page(context.pages(in: language).event(data: data))
    }

    /// Returns the page of a sign-in in the same window that keeps where it began, or goes back there.
    /// - Parameters:
    ///   - data: JSON with the members `origin`, `rest` and `next`, or `origin` and `result`, in which `<` is written as an
    ///     escape.
    ///   - language: The language of the page; `nil` for that of the user agent.
    package func page(redirecting data: String, language: Language?) -> BrokerResponse {
        .page(context.pages(in: language).redirect(data: data))
    }

    /// Returns a redirect with status 303. The location must have no secret but one that may be used once.
    package func seeOther(_ location: String) -> BrokerResponse { .seeOther(location) }
}

extension BrokerAccess.Provider {
    /// Whether it supports sign-ins in a browser.
    package var hasWebFlow: Bool { entry.hasWebFlow }
    /// The name of the parameter for the language of the provider's pages.
    package var languageParameter: String { sendsUser ? "locale" : "ui_locales" }
    /// The scopes that a client may ask for: those that the broker requests in any case, and `app-scopes`.
    package var scopesOfClients: [String] { entry.scopes }
    /// The scopes that a client of an extension may ask for in any case.
    package var scopesOfExtensions: [String] { entry.configuration.scopesOfExtensions }

    /// Whether a client may pass an authorization parameter to the provider: it is one of `app-parameters`, and the
    /// operator did not fix it.
    package func allows(parameter name: WireText) -> Bool { entry.appParameters.contains(name) }
}
