// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// Begins the logins of extensions, as ``InProcessStart`` does those of an embedding server.
struct ExtensionStart: RequestHandling {
    let context: RequestContext
    private var responses: StartResponses { StartResponses(context: context) }

    /// Sends the user agent to the provider. It does not fail.
    func begin(
        _ login: ExtensionLogin, of owner: any LoginOwner, at provider: ProviderEntry,
        parameters: [(name: String, value: String)], scopes: [String], language: Language?, for request: BrokerRequest
    ) -> Eventual<BrokerResponse> {
        let asked: AppAuthorizationRequest
        do throws(AppError) {
            guard provider.hasWebFlow else { throw AppError.nativeOnly }
            asked = try AppAuthorizationRequest(parameters: parameters, scopes: scopes, language: language)
        } catch {
            return .value(refuse(error.errorDescription, of: login, at: provider))
        }
        let start = StartFlow.Start(
            for: .ofExtension(owner, login), request: asked, isChosen: true)
        return StartFlow(context: context).begin(start, provider, cookies: Cookies(request.headerFields))
    }

    /// Returns the page of a start that is refused, which says why.
    /// - Parameter reason: A sentence for the developer of the client, for the page and the log. Of what was received it
    ///   has at most the name of a parameter, in visible ASCII.
    func refuse(
        _ reason: String, _ status: HTTPResponse.Status = .badRequest, of login: ExtensionLogin? = nil,
        at provider: ProviderEntry? = nil
    ) -> BrokerResponse {
        refuse(
            reason, status, client: login?.client, displayedName: login.map { snapshot.displayedName(of: $0) },
            provider: provider?.id)
    }

    /// Returns the page of a start that is refused.
    /// - Parameters:
    ///   - client: The name of the client in the configuration; `nil` if it is not known.
    ///   - displayedName: Its name on pages.
    ///   - provider: The ID of the provider that clients know; `nil` if it is not known.
    ///   - response: What the user agent gets; `nil` for a page that says why.
    func refuse(
        _ reason: String, _ status: HTTPResponse.Status, client: String?, displayedName: String?, provider: String?,
        response: BrokerResponse? = nil
    ) -> BrokerResponse {
        let line = responses.logBadStart(reason)
        let reference = line.reference
        responses.record(StartOutcome.refused.rawValue, client, isInProcess: false, provider, reference, with: line)
        let pages = pages
        let page = pages.failure(
            pages.texts.cannotBegin, status: status, appName: displayedName, cause: reason, reference: reference)
        return (response ?? BrokerResponse.page(page)).noting(StartOutcome.refused.rawValue, reference)
    }

    /// Returns the page on which the user goes on to the provider.
    /// - Parameters:
    ///   - client: The name of the client in the configuration.
    ///   - displayedName: Its name on pages.
    ///   - target: The path and the query of the start that follows.
    func ask(
        client: String, displayedName: String, provider: ProviderEntry, target: String, language: Language?
    ) -> BrokerResponse {
        responses.record(StartOutcome.choosing.rawValue, client, isInProcess: false, provider.id, nil)
        let pages = context.pages(in: language)
        return .page(pages.start(appName: displayedName, at: ProviderChoice(provider), target: target))
            .noting(StartOutcome.choosing.rawValue)
    }
}

/// The page of a login of an extension that could not begin because of the provider.
struct ExtensionStartFailure: AppErrorResponding {
    let appName: String
    let language: Language?
    let context: RequestContext

    func response(_ error: AppError, reference: PageReference?) -> BrokerResponse {
        let isTemporary = error.code == "temporarily_unavailable"
        let pages = context.pages(in: language)
        return .page(
            pages.failure(
                isTemporary ? pages.texts.unavailable : pages.texts.failed,
                status: isTemporary ? .serviceUnavailable : .badRequest, appName: appName,
                cause: isTemporary ? nil : error.errorDescription, reference: reference))
    }
}

extension AppAuthorizationRequest {
    /// The name of the parameter whose value is verified as well.
    private static let maximumAgeName = "max_age"

    /// Creates the request of an extension's client.
    /// - Parameters:
    ///   - parameters: What goes to the provider, as far as it allows that.
    ///   - scopes: The scopes that the client asks for.
    ///   - language: The language of the pages.
    init(
        parameters: [(name: String, value: String)], scopes: [String], language: Language?
    ) throws(AppError) {
        var maximumAge: Int64?
        if let age = parameters.first(where: { $0.name.hasSameBytes(as: Self.maximumAgeName) })?.value {
            maximumAge = try Self.seconds(WireText(age))
        }
        var requirements = LoginRequirements.none
        requirements.language = language
        self.init(
            scopes: scopes.map { WireText($0) }, maximumAge: maximumAge, requirements: requirements,
            parameters: Parameters(parameters))
    }
}
