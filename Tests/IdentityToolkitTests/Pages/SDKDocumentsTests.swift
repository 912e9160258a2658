// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// The script for web apps and the frame beside it, as a browser gets them. What they do there is tried in a browser.
struct SDKDocumentsTests {
    private typealias Installation = ToolkitInstallation

    private static let script = "/__/auth/sdk.js"
    private static let frames = ["/__/auth/iframe", "/emulator/auth/iframe"]

    @Test(arguments: [HTTPRequest.Method.get, .head])
    func `any page and any cache may have the script`(method: HTTPRequest.Method) async throws {
        let response = try await Installation().respond(method, Self.script + "?any=1")
        #expect(response.head.status == .ok)
        let fields = response.head.headerFields
        #expect(fields[.contentType] == "text/javascript; charset=utf-8")
        #expect(fields[.cacheControl] == "public, max-age=3600")
        #expect(fields[.crossOriginResourcePolicy] == "cross-origin")
        // Without it a browser does not compare the hash of a page of another origin.
        #expect(fields[.accessControlAllowOrigin] == "*")
        #expect(fields[.xContentTypeOptions] == "nosniff")
        #expect(response.body == ByteBuffer(string: SDKScript.text))
    }

    @Test func `the script is small, and its hash is that of its bytes`() {
        #expect(SDKScript.text.utf8.count < 4096)
        #expect(SDKScript.text.utf8.allSatisfy { $0 < 0x80 })
        #expect(SDKScript.text.utf8.last == UInt8(ascii: "\n"))
        let digest = Base64.encode(Hash.sha384(Array(SDKScript.text.utf8)))
        #expect(SDKScript.integrity == "sha384-" + digest)
    }

    @Test(arguments: frames)
    func `the frame may be framed, and may do nothing but run its own script`(path: String) async throws {
        let response = try await Installation().respond(.get, path + "?apiKey=any&appName=any")
        #expect(response.head.status == .ok)
        let fields = response.head.headerFields
        #expect(fields[.contentType] == "text/html; charset=utf-8")
        #expect(fields.first { $0.name.canonicalName == "x-frame-options" } == nil)
        let policy = try #require(fields[.contentSecurityPolicy])
        #expect(!policy.contains("frame-ancestors"))
        let html = response.body.getString(at: 0, length: response.body.readableBytes) ?? ""
        let parts = html.split(separator: "<script>")
        try #require(parts.count == 2)
        let script = parts[1].prefix { $0 != "<" }
        let digest = Base64.encode(Hash.sha256(Array(script.utf8)))
        #expect(
            policy
                == "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'sha256-\(digest)'")
    }

    @Test(arguments: [script] + frames) func `other methods are refused`(path: String) async throws {
        let installation = try Installation()
        #expect(installation.broker.handles(path: path))
        let refused = try await installation.respond(.post, path).head
        #expect(refused.status == .methodNotAllowed)
        #expect(refused.headerFields[.allow]?.hasPrefix("GET, HEAD") == true)
    }

    @Test(arguments: ["/sdk.js", "/__/auth/sdk.js/", "/__/auth/sdk.jS", "/__/auth/Iframe", "/emulator/auth/"])
    func `other paths have no document`(path: String) async throws {
        let response = try await Installation().respond(.get, path)
        #expect(response.head.status == .notFound)
    }

    @Test(arguments: ["", "auth.example.com", "https://auth.example.com/", "https://auth.example.com/__/auth?a=b"])
    func `what is no public URL makes no documents`(publicURL: String) {
        #expect(throws: AccountDocumentsError.invalidPublicURL) { try SDKDocuments(publicURL: publicURL) }
    }

    @Test func `the script is beside the broker's other paths`() throws {
        let documents = try SDKDocuments(publicURL: "https://auth.example.com/sign-in")
        #expect(documents.document(at: "/sign-in/sdk.js") != nil)
        #expect(documents.document(at: "/sign-in/iframe") != nil)
        #expect(documents.document(at: "/emulator/auth/iframe") != nil)
        #expect(documents.document(at: Self.script) == nil)
    }
}
