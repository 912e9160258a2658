// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerTesting
import SignInWithAppleTesting
import Testing
import TestingSupport

/// The file by which Apple verifies the domain.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppleDomainAssociationTests {
    private static let path = "/.well-known/apple-developer-domain-association.txt"
    /// CRLF, a byte order mark, bytes that are not UTF-8, a NUL, and no line end at the last line.
    private static let file: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("one\r\ntwo\n".utf8) + [0xFF, 0xFE, 0x00, 0x20]

    @Test(.attack(.appleDomainAssociation), arguments: [true, false])
    func `served byte for byte, as plain text`(isHTTP2: Bool) async throws {
        var options = AppleFixture.Options()
        options.domainAssociation = Self.file
        options.version = isHTTP2 ? .automatic : .http1Only
        try await AppleFixture.run(options) { fixture in
            let url = fixture.publicURL.origin + Self.path
            for method in [HTTPMethod.GET, .HEAD] {
                var request = HTTPClientRequest(url: url)
                request.method = method
                let response = try await fixture.http.execute(request, timeout: .seconds(30))
                let body = try await response.body.collect(upTo: 65_536)
                #expect(response.status == .ok)
                #expect(response.headers["content-type"] == ["text/plain"])
                #expect(Array(body.readableBytesView) == (method == .GET ? Self.file : []))
            }
            var post = HTTPClientRequest(url: url)
            post.method = .POST
            let refused = try await fixture.http.execute(post, timeout: .seconds(30))
            _ = try await refused.body.collect(upTo: 65_536)
            #expect(refused.status == .methodNotAllowed)
        }
    }

    @Test(.attack(.appleDomainAssociation)) func `without a file there is nothing`() async throws {
        try await AppleFixture.run { fixture in
            let response = try await fixture.http.execute(
                HTTPClientRequest(url: fixture.publicURL.origin + Self.path), timeout: .seconds(30))
            _ = try await response.body.collect(upTo: 65_536)
            #expect(response.status == .notFound)
        }
    }
}
