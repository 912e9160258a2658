// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OpenIDConnect

/// The page for an app of kind `in-process`, which has no redirect URI.
struct InProcessFailure: AppErrorResponding {
    /// The path at which the user can start again.
    let path: String
    private let appName: String
    private let context: RequestContext

    func response(_ error: AppError, reference: PageReference?) -> BrokerResponse {
        let isTemporary = error.code == "temporarily_unavailable"
        let pages = context.pages()
        return .page(
            pages.failure(
                isTemporary ? pages.texts.unavailable : pages.texts.failed,
                status: isTemporary ? .serviceUnavailable : .badRequest, appName: appName, reference: reference,
                link: .startAgain(url: path)))
    }

    /// Creates the page of a login that leads to a destination.
    init(app: AppEntry, destination: String?, context: RequestContext) {
        appName = app.configuration.displayedName
        self.context = context
        path = Self.path(app: app, destination: destination, in: context.snapshot)
    }

    /// Returns the path at which the user can start a login again that leads to a destination.
    static func path(app: AppEntry, destination: String?, in snapshot: BrokerSnapshot) -> String {
        FormURLEncoding.encode(
            [("to", destination ?? LocalDestination.root.text)],
            behind: snapshot.paths.login(app: app.configuration.name) + "?")
    }
}
