// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Outcome {
    /// The page for the user agent if there is no error for the app, or if the user should know. Each says what to do next.
    func page(link: (text: String, url: String)?) -> Page {
        let (status, title, message): (HTTPResponse.Status, String, String) =
            switch self {
            case .alreadyFinished:
                (
                    .badRequest, "You have already signed in",
                    "This sign-in is finished. If the app does not show you as signed in, start again from there."
                )
            case .expired:
                (.badRequest, "This sign-in took too long", "Nothing is lost. Go back to the app and start again.")
            case .otherBrowser, .duplicateCookie:
                (
                    .badRequest, "This sign-in was not begun here",
                    "It was begun in another browser or window, or this browser does not keep cookies. "
                        + "Go back to the app and start again."
                )
            case .changed:
                (
                    .badRequest, "Please start again",
                    "The settings for signing in were changed in the meantime. Go back to the app and start again."
                )
            case .unknownState, .misdirected, .unreadable:
                (
                    .badRequest, "This link does not work",
                    "It is not complete, or is not a sign-in of this server. Go back to the app and start again."
                )
            case .notNavigation:
                (.forbidden, "This page cannot be loaded like this", "Go back to the app and start again.")
            case .reservedForFirebase:
                (
                    .badRequest, "Not supported yet",
                    "This address was called by a Firebase client. This server does not speak that protocol yet."
                )
            case .providerUnavailable, .storeUnavailable, .tooManyHandOffs, .tooManyOfProvider:
                (
                    .serviceUnavailable, "Signing in is not possible right now",
                    "The service that signs you in does not answer. Please try again in a moment."
                )
            case .handlerFailed:
                (
                    .internalServerError, "Signing in did not work",
                    "This site could not complete your sign-in. Please try again."
                )
            case .tooManyFromAddress:
                (
                    .tooManyRequests, "Please wait a moment",
                    "Too many sign-ins were tried from your network. Nothing is lost: load this page again in a minute."
                )
            case .cancelled, .refused:
                (.badRequest, "You did not sign in", "Go back to the app if you want to try again.")
            default:
                (
                    .badRequest, "Signing in did not work",
                    "The response could not be verified. Go back to the app and start again."
                )
            }
        return Pages.failure(status: status, title: title, message: message, reference: nil, link: link)
    }
}
