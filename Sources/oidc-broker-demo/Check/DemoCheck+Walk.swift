// SPDX-License-Identifier: Apache-2.0

import BrowserTesting

extension DemoCheck {
    /// A sequence of timed steps through the demo.
    struct Walk {
        /// The browser, with its cookies.
        let browser: HTTPBrowser
        /// The receiver of the lines of the report.
        let report: @Sendable (String) -> Void

        /// Performs a step, reports it with its duration, and returns its result.
        ///
        /// - Throws: ``DemoCheckFailure``, also for any other error of the step.
        @discardableResult
        mutating func step<Found>(
            _ name: String,
            _ body: (HTTPBrowser, Expectations) async throws -> Found
        ) async throws -> Found {
            let start = ContinuousClock.now
            let found: Found
            do {
                found = try await body(browser, Expectations(step: name))
            } catch let failure as DemoCheckFailure {
                throw failure
            } catch {
                throw DemoCheckFailure(step: name, reason: "no response: \(error)")
            }
            let time = start.duration(to: .now).milliseconds
            report("  ok  \(String(repeating: " ", count: max(0, 8 - time.utf8.count)))\(time) ms  \(name)")
            return found
        }
    }

    /// The expectations of a step. All functions throw ``DemoCheckFailure``.
    struct Expectations {
        /// The name of the step.
        let step: String

        /// Expects a condition.
        func that(_ condition: Bool, _ reason: String) throws {
            guard condition else { throw DemoCheckFailure(step: step, reason: reason) }
        }

        /// Expects a page that contains a text.
        func page(_ response: HTTPBrowser.Page, containing text: String) throws {
            try that(response.status == 200, "status \(response.status), not 200")
            try that(response.body.contains(text), "the page has no \(text)")
        }

        /// Expects a page that contains a form and a text.
        func form(of response: HTTPBrowser.Page, containing text: String) throws -> PageForm {
            try page(response, containing: text)
            guard let form = PageForm(html: response.body) else {
                throw DemoCheckFailure(step: step, reason: "the page has no form")
            }
            return form
        }

        /// Expects a page that contains the form with an ID.
        func form(of response: HTTPBrowser.Page, id: String) throws -> PageForm {
            try that(response.status == 200, "status \(response.status), not 200")
            guard let form = PageForm(html: response.body, id: id) else {
                throw DemoCheckFailure(step: step, reason: "the page has no form \(id)")
            }
            return form
        }

        /// Expects a redirect to a URL with the given prefix, and returns the URL.
        func redirect(_ response: HTTPBrowser.Page, to prefix: String) throws -> String {
            guard (302...303).contains(response.status), let location = response.location else {
                throw DemoCheckFailure(step: step, reason: "status \(response.status), not a redirect")
            }
            try that(location.hasPrefix(prefix), "the redirect does not go to \(prefix)")
            return location
        }

        /// Expects a refusal: a page with status 4xx, or an OAuth error for the app.
        func refusal(_ response: HTTPBrowser.Page) throws {
            let isPage = (400...499).contains(response.status)
            let isError = response.status == 303 && response.location?.contains("error=") == true
            try that(isPage || isError, "status \(response.status), not refused")
        }
    }
}

/// The failure of a step of the check.
struct DemoCheckFailure: Error, CustomStringConvertible {
    /// The step, as printed in the report.
    let step: String
    /// The reason, without bodies and URLs with parameters, since these may contain codes and tokens.
    let reason: String

    var description: String { "FAILED: \(step): \(reason)" }
}
