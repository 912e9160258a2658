// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import OIDCBrokerPages

extension Outcome {
    /// The page for the user agent if there is no error for the app, or if the user should know. Each says what to do next.
    package func page(
        _ pages: Pages, appName: String? = nil, reference: PageReference?, link: PageLink?, otherLink: PageLink? = nil
    ) -> Page {
        pages.failure(
            message(pages.texts), status: pageStatus, appName: appName, reference: reference, link: link,
            otherLink: otherLink)
    }

    private func message(_ texts: PageTexts) -> PageMessage {
        switch self {
        case .alreadyFinished: texts.alreadyFinished
        case .expired: texts.expired
        case .otherBrowser, .duplicateCookie: texts.otherBrowser
        case .changed: texts.changed
        case .unknownState, .misdirected, .unreadable: texts.brokenLink
        case .notNavigation: texts.notLoadable
        case .reservedForFirebase: texts.notSupported
        case .providerUnavailable, .storeUnavailable, .tooManyHandOffs, .tooManyOfProvider, .tooManyCallbacks,
            .accountsUnavailable:
            texts.unavailable
        case .handlerFailed: texts.siteFailed
        case .tooManyFromAddress: texts.tooManyAttempts
        case .cancelled, .refused, .accountRefused, .accountNeedsInteraction: texts.cancelled
        case .requirementNotMet: texts.noAccess
        case .unusableClaims: texts.siteFailed
        default: texts.unverified
        }
    }

    private var pageStatus: HTTPResponse.Status {
        switch self {
        case .notNavigation, .requirementNotMet: .forbidden
        case .providerUnavailable, .storeUnavailable, .tooManyHandOffs, .tooManyOfProvider, .tooManyCallbacks,
            .accountsUnavailable:
            .serviceUnavailable
        case .handlerFailed: .internalServerError
        case .tooManyFromAddress: .tooManyRequests
        default: .badRequest
        }
    }
}
