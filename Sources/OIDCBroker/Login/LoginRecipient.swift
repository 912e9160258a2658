// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerConfiguration
import OIDCBrokerState

/// Who gets the sign-in of a login.
enum LoginRecipient: Sendable {
    /// An app, at one of its redirect URIs.
    case app(AppEntry, RedirectURI)
    /// The client of an extension, which began the login.
    case ofExtension(any LoginOwner, ExtensionLogin)

    /// The name of the app or the client in the configuration, for logs.
    var name: String {
        switch self {
        case .app(let app, _): app.configuration.name
        case .ofExtension(_, let login): login.client
        }
    }

    /// The name of the app or the client on pages.
    var displayedName: String {
        switch self {
        case .app(let app, _): app.configuration.displayedName
        case .ofExtension(let owner, let login): login.displayedName(by: owner)
        }
    }

    /// Whether it is an app of kind `in-process`.
    var isInProcess: Bool {
        if case .app(let app, _) = self { app.configuration.kind == .inProcess } else { false }
    }

    /// Whether it is the client of an extension.
    var isOfExtension: Bool { if case .ofExtension = self { true } else { false } }

    /// The kind of text that the state of the login is sealed into.
    var statePurpose: StateSealer.Purpose { isOfExtension ? .extensionLogin : .login }
}

extension ExtensionLogin {
    /// The name of the client on pages: its title, or one that is made from its name in the configuration.
    /// - Parameter owner: The extension that began the login; `nil` if it is not there any more.
    func displayedName(by owner: (any LoginOwner)?) -> String {
        DisplayedName.name(title: owner?.title(ofClient: client), key: client)
    }
}
