// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import OIDCBroker
import OpenIDRelyingParty
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// Requests of web pages to the loopback listener, which come from the address of this machine as those of programs do.
struct LoopbackStrangersTests {
    private typealias Installation = AdminInstallation
    private static let batchGet = Installation.accounts + "batchGet"
    private static let guess = "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=guess"
    private static let projects = "/identitytoolkit.googleapis.com/v1/projects?key=" + ToolkitInstallation.apiKey

    /// What a browser says of requests that a page of a stranger has it send.
    static let strangers: [[String: String]] = [
        ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": ""], ["Origin": "http://127.0.0.1:9099"],
        ["Origin": "https://app.example.com, https://evil.example"],
        ["Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"],
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "\"none\""],
        ["Sec-Fetch-Site": ""],
        ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
        ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"],
    ]

    private static func fields(_ texts: [String: String]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in texts { fields[try #require(HTTPField.Name(name))] = value }
        return fields
    }

    private static func limited() throws -> AdminInstallation {
        var options = ToolkitInstallation.Options()
        options.requestLimits.failuresPerSecond = 1
        options.requestLimits.failuresBurst = 3
        options.hasTestClockOnly = true
        var installation = try Installation(options: options)
        installation.installation.client = IPAddress("127.0.0.1")
        return installation
    }

    @Test(arguments: strangers) func `they use up nothing that this machine may be refused`(
        stranger: [String: String]
    ) async throws {
        let installation = try Self.limited()
        let fields = try Self.fields(stranger)
        for _ in 0..<10 {
            for target in [Self.batchGet, Self.guess, Self.projects, "/"] {
                for method in [HTTPRequest.Method.get, .post, .options] {
                    let response = try await installation.respond(
                        method, target, authorization: nil, fields: fields)
                    #expect(response.head.status == .forbidden)
                    #expect(response.endsConnection)
                    #expect(response.head.headerFields[.accessControlAllowOrigin] == nil)
                }
            }
        }
        for _ in 0..<3 {
            let guess = try await installation.respond(.get, Self.batchGet, authorization: "Bearer guess")
            #expect(guess.head.status == .unauthorized)
        }
        let limited = try await installation.respond(.get, Self.batchGet, authorization: "Bearer guess")
        #expect(limited.head.status == .badRequest)
    }

    @Test(arguments: strangers) func `the token does not help them`(stranger: [String: String]) async throws {
        let response = try await Installation().respond(
            .get, Self.batchGet, fields: try Self.fields(stranger))
        #expect(response.head.status == .forbidden)
    }

    @Test func `programs, and what the user typed, are served`() async throws {
        let installation = try Installation()
        for texts in [[:], ["Sec-Fetch-Site": "none"], ["Sec-Fetch-Site": "same-origin"]] {
            let fields = try Self.fields(texts)
            #expect(try await installation.respond(.get, Self.batchGet, fields: fields).head.status == .ok)
            for target in [Self.projects, "/"] {
                let response = try await installation.respond(.get, target, authorization: nil, fields: fields)
                #expect(response.head.status == .ok)
                #expect(!response.endsConnection)
            }
        }
    }

    @Test(arguments: ["cross-site", "same-site", nil] as [String?])
    func `a page of an authorized domain may send the wire, wherever it is`(site: String?) async throws {
        let installation = try Self.limited()
        var texts = ["Origin": ToolkitInstallation.origin]
        texts["Sec-Fetch-Site"] = site
        let fields = try Self.fields(texts)
        let served = try await installation.respond(.get, Self.projects, authorization: nil, fields: fields)
        #expect(served.head.status == .ok)
        #expect(served.head.headerFields[.accessControlAllowOrigin] == ToolkitInstallation.origin)
        // What it is refused counts, as that of a program does.
        for _ in 0..<3 {
            let refused = try await installation.respond(.post, Self.guess, authorization: nil, fields: fields)
            #expect(refused.head.status == .badRequest)
        }
        let limited = try await installation.respond(.post, Self.guess, authorization: nil, fields: fields)
        #expect(limited.head.status == .serviceUnavailable)
    }

    @Test func `a start comes from any page`() async throws {
        let installation = try Installation()
        for stranger in Self.strangers {
            let response = try await installation.respond(
                .get, "/emulator/auth/handler?apiKey=a", authorization: nil, fields: try Self.fields(stranger))
            #expect(response.head.status == .seeOther)
        }
    }
}
