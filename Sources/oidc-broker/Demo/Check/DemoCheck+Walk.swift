// SPDX-License-Identifier: Apache-2.0

extension DemoCheck {
    /// A walk through the demo, one timed step after the other.
    struct Walk {
        /// The browser, with its cookies.
        var browser: BrowserStandIn
        /// Is given the lines of the report.
        let report: @Sendable (String) -> Void

        /// Takes a step, reports it with its time, and gives what it found.
        ///
        /// - Throws: ``DemoCheckFailure``, also for whatever else the step throws.
        @discardableResult
        mutating func step<Found>(
            _ name: String,
            _ body: (inout BrowserStandIn, Expectations) async throws -> Found
        ) async throws -> Found {
            let start = ContinuousClock.now
            let found: Found
            do {
                found = try await body(&browser, Expectations(step: name))
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

    /// What a step expects of a response. Everything throws ``DemoCheckFailure``.
    struct Expectations {
        /// The step.
        let step: String

        /// Something holds.
        func that(_ condition: Bool, _ reason: String) throws {
            guard condition else { throw DemoCheckFailure(step: step, reason: reason) }
        }

        /// A page with that in it.
        func page(_ response: BrowserStandIn.Answer, containing text: String) throws {
            try that(response.status == 200, "status \(response.status), not 200")
            try that(response.html.contains(text), "the page has no \(text)")
        }

        /// A page with a form and that in it.
        func form(of response: BrowserStandIn.Answer, containing text: String) throws -> PageForm {
            try page(response, containing: text)
            guard let form = PageForm(html: response.html) else {
                throw DemoCheckFailure(step: step, reason: "the page has no form")
            }
            return form
        }

        /// A redirect to a URL that begins so; gives the URL.
        func redirect(_ response: BrowserStandIn.Answer, to prefix: String) throws -> String {
            guard (302...303).contains(response.status), let location = response.location else {
                throw DemoCheckFailure(step: step, reason: "status \(response.status), not a redirect")
            }
            try that(location.hasPrefix(prefix), "the redirect does not go to \(prefix)")
            return location
        }

        /// No: a page with 4xx, or an OAuth error to the app.
        func refusal(_ response: BrowserStandIn.Answer) throws {
            let isPage = (400...499).contains(response.status)
            let isError = response.status == 303 && response.location?.contains("error=") == true
            try that(isPage || isError, "status \(response.status), not refused")
        }
    }
}
