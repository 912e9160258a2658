// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Something that a user, their browser or a program that follows links does during a sign-in, and what is seen at its
/// end.
struct PersonAction: Sendable, CustomTestStringConvertible {
    /// What is done.
    let name: String
    /// The status of the last response.
    let status: Int
    /// The title of the page; `nil` if there is no page, because the browser is sent on or gets an empty response.
    let title: String?
    /// How many codes were redeemed at the providers, after everything that ``act`` does.
    let tokenRequests: Int
    private let providers: [String]
    private let isFormPost: Bool
    private let act: @Sendable (inout Browser) throws -> BrokerResponse

    var testDescription: String { name }

    /// The title of the page, in English, or what there is instead.
    var seen: String {
        title ?? (status == 303 ? "the app, or the provider" : "nothing: a program gets an empty response")
    }

    /// - Parameters:
    ///   - providers: The names of the providers. Of several the user chooses one on the broker's page.
    ///   - isFormPost: Whether the first provider responds by a form.
    ///   - act: Does it, and returns the response that the user sees.
    init(
        _ name: String, _ status: Int, _ title: String?, tokenRequests: Int, providers: [String] = ["acme"],
        isFormPost: Bool = false, _ act: @escaping @Sendable (inout Browser) throws -> BrokerResponse
    ) {
        (self.name, self.status, self.title) = (name, status, title)
        (self.tokenRequests, self.providers, self.isFormPost, self.act) = (tokenRequests, providers, isFormPost, act)
    }

    /// Does it in a browser of its own, and expects what is seen.
    func expectWhatIsSeen(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let installation = try Installation(providers: providers) {
            if isFormPost { $0.providers[0].configuration.responseMode = .formPost }
        }
        var browser = Browser(installation)
        let response = try act(&browser)
        #expect(response.status == status, sourceLocation: sourceLocation)
        let heading = response.heading?.replacing("<bdi>", with: "").replacing("</bdi>", with: "")
        #expect(heading == title, sourceLocation: sourceLocation)
        let ofWindow = response.text.firstMatch(of: /<title>(.*?)<\/title>/).map { String($0.1) }
        #expect(ofWindow == title, sourceLocation: sourceLocation)
        let count = installation.providers.map { $0.count("/token") }.reduce(0, +)
        #expect(count == tokenRequests, sourceLocation: sourceLocation)
    }
}

extension Browser {
    /// The browser after a crash: it has the cookies that it wrote to the disk, which are those with an age.
    func restored() -> Browser {
        #expect(self.jar.cookies.allSatisfy { $0.maximumAge != nil })
        var restored = Browser(installation)
        restored.jar = self.jar
        return restored
    }

    /// Takes the cookies of a response that another request of this browser received.
    mutating func takeCookies(of response: BrokerResponse) {
        let now = installation.clock.now()
        for field in response.setCookies { self.jar.take(field, host: CookieJar.broker, isSecure: true, now: now) }
    }

    /// Brings a response, which is expected to end at the app with a code.
    mutating func expectSignIn(
        _ response: [(String, String)], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let location = try Location(try bring(response), sourceLocation: sourceLocation)
        #expect(location["code"] != nil, sourceLocation: sourceLocation)
    }
}
