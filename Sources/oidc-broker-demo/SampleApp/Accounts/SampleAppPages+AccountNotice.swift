// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerPages

extension SampleAppPages {
    /// Returns what the page "Your account" says about the last action; nothing if there was none.
    static func accountNotice(_ notice: AccountNotice?) -> HTML {
        guard let notice else { return "" }
        return switch notice {
        case .signedIn(let isNew):
            isNew
                ? note("new-account", "A new account was made: it was the first sign-in.")
                : note("known-account", "Signed in. The account was there already.")
        case .signedInAgain: note("signed-in-again", "You signed in again, so that what needs a recent sign-in works.")
        case .linked(let provider): note("linked", "The account is linked to \(provider.title).")
        case .unlinked(let provider): note("unlinked", "The account is not linked to \(provider.title) any more.")
        case .refreshed: note("refreshed", "There is a new ID token.")
        case .signedOut: note("signed-out-now", "You were signed out: the app has forgotten the tokens.")
        case .deleted(let report): deleted(report)
        case .failed(let error): failed(error)
        }
    }

    private static func note(_ id: String, _ text: String) -> HTML {
        "<p class=\"notice\" id=\"\(id)\">\(text)</p>\n"
    }

    private static func deleted(_ report: SignInReport) -> HTML {
        """
        <div class="notice" id="deleted">
        <p>The account is deleted.</p>
        \(checks(report, id: "deletion-checks"))
        </div>

        """
    }

    private static func failed(_ error: AccountsWireError) -> HTML {
        let code: HTML = error.code.map { "<p><code id=\"error-code\">\($0)</code></p>\n" } ?? ""
        var detail: HTML = ""
        if case .refused(_, let text?) = error { detail = "<p class=\"quiet\">For developers: \(text)</p>\n" }
        return """
            <div class="notice" id="error" role="alert">
            \(code)<p>\(error.words)</p>
            \(detail)</div>

            """
    }
}
