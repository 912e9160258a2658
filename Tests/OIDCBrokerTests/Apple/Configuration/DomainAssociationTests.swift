// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import Testing
import TestingSupport

/// The file that Apple looks for under a domain.
@Suite struct DomainAssociationTests {
    private static let path = "/.well-known/apple-developer-domain-association.txt"
    /// Bytes that a text reader would change: no line end, white space, invalid UTF-8.
    private static let file = Array("MII\r\n  {\"a\":1}\t ".utf8) + [0x00, 0xFF, 0xC0]

    @Test(.attack(.appleDomainAssociation)) func `it is served byte for byte, as plain text`() throws {
        let installation = try Installation { $0.appleDomainAssociation = Self.file }
        #expect(installation.broker.handles(path: Self.path))
        let response = try installation.get(Self.path)
        #expect(response.status == 200)
        #expect(response.head.headerFields[.contentType] == "text/plain")
        #expect(Array(response.body.readableBytesView) == Self.file)
        #expect(response.head.headerFields[.xContentTypeOptions] == "nosniff")
        #expect(try installation.request(.head, Self.path).status == 200)
        let post = try installation.request(.post, Self.path)
        #expect(post.status == 405)
        #expect(post.head.headerFields[.allow] == "GET, HEAD")
    }

    @Test(.attack(.appleDomainAssociation)) func `only that path is claimed, and only where it is configured`() throws {
        let without = try Installation()
        #expect(!without.broker.handles(path: Self.path))
        #expect(try without.get(Self.path).status == 404)
        let with = try Installation { $0.appleDomainAssociation = Self.file }
        for target in [
            "/.well-known/", "/.well-known/apple-developer-domain-association", Self.path + "/", Self.path + "x",
            "/.well-known/apple-app-site-association",
        ] {
            #expect(!with.broker.handles(path: target), "\(target)")
        }
    }

    @Test(.attack(.appleDomainAssociation))
    func `the longest file is served, and a reload changes it at once`() throws {
        let longest = [UInt8](repeating: 0x41, count: 65_536)
        let installation = try Installation { $0.appleDomainAssociation = longest }
        #expect(try installation.get(Self.path).body.readableBytes == 65_536)
        var configuration = installation.configuration
        configuration.appleDomainAssociation = [0x42]
        try installation.broker.reload(configuration)
        #expect(try installation.get(Self.path).text == "B")
        configuration.appleDomainAssociation = longest + [0x41]
        #expect(throws: BrokerConfigurationError.self) { try installation.broker.reload(configuration) }
    }

    @Test(.attack(.appleDomainAssociation)) func `a file is read as it is`() async throws {
        let text = " first line\r\nsecond \n\n"
        let read = try await ConfigurationFixture.withFile(text) { path in
            try await ConfigurationFixture.read([
                "auth.apple-domain-association-file": ConfigurationFixture.text(path)
            ])
        }
        #expect(read.appleDomainAssociation == Array(text.utf8))
    }
}
