// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What a start at the handler page is for, and where its result goes: the parameter `authType`. The set is closed.
enum AuthType: String, Sendable, Hashable, CaseIterable, RegisteredName {
    case signInViaPopup, signInViaRedirect
    case linkViaPopup, linkViaRedirect
    case reauthViaPopup, reauthViaRedirect
    /// The only one of the SDKs for iOS and Android, whatever the sign-in is for.
    case signInWithRedirect

    /// Where the result goes.
    enum Delivery: Sendable, Hashable, CaseIterable {
        /// To the page that opened the window.
        case popup
        /// To a page of the app in the same window.
        case redirect
        /// To an app on the same device.
        case app
    }

    /// What the app may do with the result.
    enum Purpose: Sendable, Hashable, CaseIterable {
        /// A sign-in, which may create an account.
        case signIn
        /// A link to the account of a session.
        case link
        /// A sign-in into an account that exists.
        case reauthentication
        /// Any of these, which the SDKs for iOS and Android decide at the redemption.
        case any
    }

    /// Where the result goes.
    var delivery: Delivery {
        switch self {
        case .signInViaPopup, .linkViaPopup, .reauthViaPopup: .popup
        case .signInViaRedirect, .linkViaRedirect, .reauthViaRedirect: .redirect
        case .signInWithRedirect: .app
        }
    }

    /// What the app may do with the result.
    var purpose: Purpose {
        switch self {
        case .signInViaPopup, .signInViaRedirect: .signIn
        case .linkViaPopup, .linkViaRedirect: .link
        case .reauthViaPopup, .reauthViaRedirect: .reauthentication
        case .signInWithRedirect: .any
        }
    }
}
