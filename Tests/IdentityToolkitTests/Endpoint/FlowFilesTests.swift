// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import StoreTesting
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// A user who is known, up to one more `signInWithIdp`, and that request.
///
/// `.ci/flow-files` runs each of these tests alone, with coverage. The lines that run more often in the second one are
/// those of the request. So both do the same before it, and afterwards only bytes are looked at.
struct FlowFilesTests {
    @Test func `before one more signInWithIdp of a known user there is one account`() async throws {
        let scene = try await Scene()
        #expect(scene.installation.store.contents.accounts.count == 1)
    }

    @Test func `after one more signInWithIdp of a known user there still is one account`() async throws {
        let scene = try await Scene()
        let response = try await scene.installation.respond(.post, Scene.target, body: scene.body)
        #expect(response.head.status == .ok)
        let text = String(buffer: response.body)
        #expect(text.contains("\"localId\":\"\(scene.account)\"") && text.contains("\"refreshToken\":"))
        #expect(scene.installation.store.contents.accounts.count == 1)
    }

    /// A user who has signed in once, and the body of the next request, made beforehand.
    private struct Scene: Sendable {
        static let target =
            ToolkitInstallation.toolkit + "accounts:signInWithIdp?key=" + ToolkitInstallation.apiKey

        let installation: ToolkitInstallation
        let account: String
        let body: [UInt8]

        init() async throws {
            installation = try ToolkitInstallation()
            let (status, first) = try await installation.signIn(
                try installation.token("ada", email: "ada@example.com"))
            try #require(status == 200, "\(first.message ?? "")")
            account = try #require(first.string("localId"))
            installation.clock.advance(by: 1)
            let next: JSONObject = [
                "requestUri": "http://localhost", "returnSecureToken": true, "returnIdpCredential": true,
                "postBody": .string(
                    ToolkitInstallation.postBody(try installation.token("ada", email: "ada@example.com"))),
            ]
            body = next.serialized()
        }
    }
}
