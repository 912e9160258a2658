// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerHTTP
import OIDCBrokerPages

/// Why a start does not get as far as an app that can be told of it.
enum StartEnd: Error {
    /// A page, and the reason for the app's developer in the log. The app is `nil` if it is not known.
    case badStart(String, app: AppEntry? = nil)
    /// A page, and in the log the app and the registered URI that is the nearest to the one that was sent.
    case badRedirectURI(AppEntry, sent: WireText)
    /// A page that says something else.
    case failure(any KeyPath<PageTexts, PageMessage> & Sendable, HTTPResponse.Status)
    /// A body that is no form.
    case noForm
    /// Too many starts of the app, or an answer that is no failure.
    case response(BrokerResponse)
}
