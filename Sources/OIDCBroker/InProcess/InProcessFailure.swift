// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OpenIDConnect

/// The page for an app of kind `in-process`, which has no redirect URI.
struct InProcessFailure: AppErrorResponding {
    /// The path at which the person can start again.
    let path: String

    func response(_ error: AppError) -> BrokerResponse {
        let isTemporary = error.code == "temporarily_unavailable"
        return .page(
            Pages.failure(
                status: isTemporary ? .serviceUnavailable : .badRequest,
                title: isTemporary ? "Signing in is not possible right now" : "Signing in did not work",
                message: isTemporary
                    ? "The service that signs you in does not answer. Please try again in a moment."
                    : "Please try again.",
                reference: nil, link: ("Start again", path)))
    }

    /// Creates the page of a login that leads to a destination.
    init(app: String, destination: String?, paths: BrokerPaths) {
        path = FormURLEncoding.encode(
            [("to", destination ?? LocalDestination.root.text)], behind: paths.login(app: app) + "?")
    }
}
