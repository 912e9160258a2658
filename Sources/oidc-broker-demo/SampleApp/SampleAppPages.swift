// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBroker

import OIDCBrokerHTTP
import OIDCBrokerPages
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pages of the sample app, without script but for the web app's. Elements that a test looks for have IDs.
enum SampleAppPages {
    private static let stylesheet = Stylesheet.shared.adding(
        """
        main{max-width:40rem}
        h2{margin:1.5rem 0 .5rem;font-size:1rem}
        ul{margin:0;padding:0;list-style:none}
        li{padding:.2rem 0 .2rem 1.75rem;text-indent:-1.75rem}
        li::before{display:inline-block;width:1.75rem;text-indent:0;font-weight:700}
        .passed::before{content:"\\2713";color:var(--good)}
        .failed::before{content:"\\2717";color:var(--bad)}
        table{width:100%;border-collapse:collapse;font-size:.875rem}
        th,td{padding:.35rem .5rem .35rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;\
        font-weight:400;overflow-wrap:anywhere}
        th{width:40%;color:var(--quiet)}
        .time{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
        .actions{margin-top:1.5rem}
        .notice{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem}
        @media (max-width:30rem){th,td{display:block;width:auto;padding:.35rem 0}th{padding-bottom:0;border:0}\
        td{padding-top:0}.time{text-align:left}}

        """)

    /// Returns the home page.
    ///
    /// - Parameters:
    ///   - provider: The broker's provider.
    ///   - hasAccounts: Whether the broker has accounts, and both providers.
    static func home(_ provider: DemoProvider, hasAccounts: Bool = false) -> Page {
        let account: HTML =
            hasAccounts
            ? """
            <a class="button choice" id="to-account" href="\(SampleAppAccounts.path)">Your account</a>
            <a class="button choice" id="to-web-app" href="\(SampleAppWeb.path)">A web app</a>

            """
            : ""
        let asking: HTML =
            hasAccounts
            ? "You will choose among providers, which have test users only."
            : "You will be asked by \(provider.name), which has test users only."
        return page(
            title: "Sample app",
            content: """
                <h1>Sample app</h1>
                <p>No user is signed in to this app yet. Sign in, and it shows what it received, which checks passed, and how long \
                each step took.</p>
                \(signIn("Sign in"))
                \(account)<p class="quiet">\(asking)</p>
                """)
    }

    /// Returns the page with the result of a sign-in.
    static func result(_ outcome: SignInOutcome) -> Page {
        switch outcome {
        case .received(let report): received(report)
        case .denied: denied()
        case .failed(let reason): failed(reason)
        }
    }

    /// Returns the page for a callback that belongs to no sign-in of this browser, or to one that has already ended.
    static func unexpectedResponse() -> Page {
        page(
            status: .badRequest,
            title: "Not expected",
            content: """
                <h1 id="unexpected">This response was not expected</h1>
                <p>It belongs to no sign-in that this browser started here, or it was used already.</p>
                \(signIn("Start again"))
                """)
    }

    /// Returns the page for an unknown path.
    static func notFound() -> Page {
        page(
            status: .notFound, title: "Not found",
            content: "<h1>Not found</h1>\n<p><a href=\"/\">Back to the sample app</a></p>")
    }

    /// Returns the page for methods other than GET.
    static func notAllowed() -> Page {
        page(status: .methodNotAllowed, title: "Not allowed", content: "<h1>Not allowed</h1>")
    }

    /// Returns the page for a form that a page of another origin sent.
    static func formFromElsewhere() -> Page {
        page(
            status: .forbidden, title: "Not allowed",
            content: "<h1>This form was not sent by this app</h1>\n<p><a href=\"/\">Back to the sample app</a></p>")
    }

    private static func received(_ report: SignInReport) -> Page {
        // The ID indicates that the credential is valid. A page without it is not a success, whatever it shows.
        let headline: HTML =
            report.isVerified
            ? "<h1 id=\"result\">Signed in as \(name(report))</h1>"
            : "<h1 id=\"unverified\">Not signed in: a check failed</h1>"
        let steps = report.steps.map { step -> HTML in
            "<tr><th scope=\"row\">\(step.name)</th><td class=\"time\">\(step.duration.milliseconds) ms</td></tr>\n"
        }
        return page(
            title: report.isVerified ? "Signed in" : "Not signed in",
            content: """
                \(headline)
                <p>This is what the app received, once, from the broker.</p>
                <h2>Checks</h2>
                \(checks(report, id: "checks"))
                \(user(report.user))<h2>Claims of the broker's ID token</h2>
                \(claims(report.claims, id: "claims"))
                \(relay(report.claims))\
                <h2>Claims of the provider, verified by the broker</h2>
                \(claims(report.upstreamClaims, id: "upstream-claims"))
                <h2>How long it took</h2>
                <table id="steps">
                \(steps)</table>
                <div class="actions">\(signIn("Sign in again"))</div>
                """)
    }

    /// Returns the list of checks, each with its outcome.
    static func checks(_ report: SignInReport, id: String) -> HTML {
        let checks = report.checks.map { check -> HTML in
            let outcome = check.hasPassed ? "passed" : "failed"
            return "<li class=\"\(outcome)\">\(check.name)</li>\n"
        }
        return "<ul id=\"\(id)\">\n\(checks)</ul>"
    }

    /// Returns the user's name. One that no signature covers is marked as such.
    private static func name(_ report: SignInReport) -> HTML {
        if let name = report.claims["name"]?.text { return "<bdi>\(name.makeString())</bdi>" }
        if let name = report.user["name"]?.text {
            return
                "<bdi>\(name.makeString())</bdi> <span class=\"quiet\" id=\"unverified-name\">(name not verified)</span>"
        }
        return report.claims["email"]?.text.map { "<bdi>\($0.makeString())</bdi>" } ?? "a user without a name"
    }

    /// Returns a name that no signature covers, shown as text and separately from the verified claims.
    private static func user(_ user: JSONObject) -> HTML {
        guard user.count > 0 else { return "" }
        return """
            <h2>The name, not verified</h2>
            \(claims(user, id: "user"))
            <p class="quiet">The provider sends it once, at the first consent, and it is not signed: something to \
            suggest, not to rely on.</p>

            """
    }

    /// Returns what a relay address means for an app.
    private static func relay(_ claims: JSONObject) -> HTML {
        guard claims["is_private_email"]?.boolValue == true else { return "" }
        return """
            <p class="quiet" id="relay">The address is a relay: mail to it arrives only from senders that are \
            registered with the provider.</p>

            """
    }

    private static func denied() -> Page {
        page(
            title: "Not signed in",
            content: """
                <h1 id="denied">You did not sign in</h1>
                <p>You canceled or pressed "Deny", so the app received nothing about you. That is all right.</p>
                \(signIn("Try again"))
                """)
    }

    private static func failed(_ reason: String) -> Page {
        page(
            title: "Not signed in",
            content: """
                <h1 id="failed">That did not work</h1>
                <p>\(reason)</p>
                \(signIn("Try again"))
                """)
    }

    private static func signIn(_ text: String) -> HTML {
        "<a class=\"button\" id=\"sign-in\" href=\"/start\">\(text)</a>"
    }

    private static func claims(_ claims: JSONObject, id: String) -> HTML {
        let rows = claims.members.map { member -> HTML in
            let name = member.name.makeString()
            let value =
                time(name, member.value) ?? member.value.text?.makeString()
                ?? String(decoding: member.value.serialized(), as: UTF8.self)
            return "<tr><th scope=\"row\">\(name)</th><td>\(value)</td></tr>\n"
        }
        return "<table id=\"\(id)\">\n\(rows)</table>"
    }

    /// The claims that are times, in seconds since 1970 (RFC 7519 section 2; OpenID Connect Core 1.0 sections 2 and 5.1).
    private static let times: Set<String> = ["iat", "exp", "nbf", "auth_time", "updated_at"]

    /// Returns the date and time of a claim that is one; `nil` if it is not.
    private static func time(_ name: String, _ value: JSONValue) -> String? {
        guard times.contains(name), case .number(let number) = value, let seconds = number.integer,
            // Up to the year 9999.
            (0..<253_402_300_800).contains(seconds)
        else { return nil }
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        return date.formatted(.iso8601.dateTimeSeparator(.space).timeZoneSeparator(.omitted))
    }

    /// Returns a page with the frame of all pages of the app.
    static func page(
        status: HTTPResponse.Status = .ok, title: String, content: HTML, forms: Page.Forms = .none
    ) -> Page {
        Page(status: status, title: title, content: content, forms: forms, stylesheet: stylesheet)
    }
}
