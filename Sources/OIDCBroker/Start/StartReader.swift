// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// A reader of starts. It sends no requests to providers and uses no store.
struct StartReader {
    /// An app whose redirect URI is known to match.
    struct Client {
        let parameters: Parameters
        let app: AppEntry
        let redirectURI: RedirectURI

        /// Where an error of the request goes.
        func destination(issuer: String) -> AppDestination {
            AppDestination(
                redirectURI: redirectURI, state: AppAuthorizationRequest.state(of: parameters),
                responseMode: AppAuthorizationRequest.responseMode(of: parameters, at: redirectURI),
                issuer: issuer, language: AppAuthorizationRequest.language(of: parameters))
        }
    }

    let snapshot: BrokerSnapshot
    /// The current time, in seconds since 1970.
    let now: Int64

    /// Lets the navigation of a browser in.
    /// - Returns: The parameters: the query, or the form of a POST; and whether they come from a frame in a page.
    func admit(
        _ request: BrokerRequest, query: Substring
    ) throws(StartEnd) -> (parameters: Substring, isFramed: Bool) {
        guard FetchMetadata.isDocumentNavigation(request) else {
            guard isSilentInFrame(request, query) else { throw .failure(\.notLoadable, .forbidden) }
            return (query, isFramed: true)
        }
        guard request.method == .post else { return (query, isFramed: false) }
        guard FormBody.isForm(request.headerFields) else { throw .noForm }
        guard query.isEmpty, let form = String(validating: request.body.readableBytesView, as: UTF8.self) else {
            throw .badStart("a POST must have all parameters in its form")
        }
        return (form[...], isFramed: false)
    }

    /// Whether a page asks in a hidden frame whether the user is signed in (`prompt=none`). The error that it gets is a
    /// redirect, since a page of the broker, that of `form_post` too, is not shown in a frame.
    private func isSilentInFrame(_ request: BrokerRequest, _ query: Substring) -> Bool {
        guard FetchMetadata.isFrame(request), let parameters = try? FormURLEncoding.parse(query) else { return false }
        func value(_ name: String) -> WireText? { (try? parameters.nonEmptyValue(name)) ?? nil }
        return value("prompt") == "none" && value("response_mode") != "form_post"
    }

    /// Reads the user's choice: a same-origin POST, bound to the cookie that the page set.
    func choice(
        in request: BrokerRequest, _ cookies: Cookies
    ) throws(StartEnd) -> (StartFlow.Choice, PendingChoice.Start) {
        let fields = request.headerFields
        guard FetchMetadata.isSameOrigin(fields, origin: snapshot.configuration.publicURL.origin) else {
            throw .failure(\.formFromElsewhere, .forbidden)
        }
        guard FormBody.isForm(fields) else { throw .noForm }
        guard let form = try? FormURLEncoding.parse(request.body.readableBytesView),
            let sealed = (try? form.nonEmptyValue("login")) ?? nil,
            let name = (try? form.nonEmptyValue("provider")) ?? nil,
            let choice = snapshot.sealer.open(sealed, for: .choice).flatMap({ PendingChoice(encoded: $0.plaintext) }),
            !choice.isStale(at: now),
            case .found(let binding) = snapshot.cookie.binding(loginID: choice.loginID, in: cookies),
            ConstantTime.equal(Hash.sha256(binding), choice.bindingHash)
        else { throw .failure(\.startOver, .badRequest) }
        return (StartFlow.Choice(provider: name, loginID: choice.loginID), choice.start)
    }

    /// Reads which app asks, and where it gets its response.
    func client(_ query: Substring) throws(StartEnd) -> Client {
        do {
            let parameters = try FormURLEncoding.parse(query)
            guard let clientID = try parameters.nonEmptyValue("client_id") else {
                throw StartEnd.badStart("client_id is missing")
            }
            guard let app = snapshot.app(clientID: clientID) else {
                throw StartEnd.badStart("no app has this client_id")
            }
            guard let sent = try parameters.nonEmptyValue("redirect_uri") else {
                throw StartEnd.badStart("redirect_uri is missing", app: app)
            }
            guard let redirectURI = app.redirectURI(sent) else {
                throw StartEnd.badRedirectURI(app, sent: sent)
            }
            return Client(parameters: parameters, app: app, redirectURI: redirectURI)
        } catch let end as StartEnd {
            throw end
        } catch {
            throw .badStart("\(error)")
        }
    }

    /// Reads the rest of the request.
    func request(of client: Client) throws(AppError) -> AppAuthorizationRequest {
        try AppAuthorizationRequest(
            client.parameters, redirectURI: client.redirectURI, app: client.app
        ) { hint in
            snapshot.issuedToken(hint, to: client.app, now: now)?.subject
        }
    }
}
