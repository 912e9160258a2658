// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerPages

/// The page of the web app, the only one of the sample app with scripts.
extension SampleAppPages {
    /// Returns the page.
    ///
    /// - Parameters:
    ///   - settings: What the scripts need to know.
    ///   - scripts: The paths of the app's own scripts. The broker's script is loaded before them.
    static func webApp(_ settings: WebAppSettings, scripts: [String]) -> SampleAppFile {
        let tags = (["\(settings.brokerIssuer)/sdk.js"] + scripts).map { source -> HTML in
            "<script src=\"\(source)\"></script>\n"
        }
        let page = page(
            title: "Web app",
            content: """
                <h1 id="web-app">A web app</h1>
                <p class="quiet">Its page keeps the tokens. It signs in with <span id="client">a script</span>.</p>
                <p id="state" role="status">Loading</p>
                <p class="notice" id="error" role="alert" hidden></p>
                <table id="user" hidden>
                <tr><th scope="row">uid</th><td><code id="uid"></code></td></tr>
                <tr><th scope="row">Address</th><td id="address"></td></tr>
                <tr><th scope="row">Providers</th><td id="providers"></td></tr>
                </table>
                <div class="actions">
                \(DemoProvider.allCases.map { webButtons($0) })\
                <button class="choice" type="button" id="web-sign-out" data-action="signOut">Sign out</button>
                </div>
                <p><a href="/">Back to the sample app</a></p>
                <div id="settings" hidden data-api-key="\(settings.apiKey)" data-origin="\(settings.publicURL)" \
                data-issuer="\(settings.brokerIssuer)" data-project="\(settings.projectID)"></div>
                \(tags)
                """)
        // The broker's script is of another origin, and so are the calls.
        let scriptsAndCalls = "; script-src 'self' \(settings.publicURL); connect-src \(settings.publicURL)"
        return .page(page.html, contentSecurityPolicy: page.contentSecurityPolicy + scriptsAndCalls)
    }

    /// The buttons of a provider. Each names a member of the client and the provider it is for.
    private static func webButtons(_ provider: DemoProvider) -> HTML {
        let actions = [
            ("popup", "signInWithPopup", "Sign in with \(provider.title) in a popup"),
            ("redirect", "signInWithRedirect", "Sign in with \(provider.title) by redirect"),
            ("link", "linkWithPopup", "Link \(provider.title) in a popup"),
        ]
        let buttons = actions.map { id, action, title -> HTML in
            """
            <button class="choice" type="button" id="\(id)-\(provider.rawValue)" data-action="\(action)" \
            data-provider="\(provider.wireID)">\(title)</button>

            """
        }
        return "\(buttons)"
    }
}
