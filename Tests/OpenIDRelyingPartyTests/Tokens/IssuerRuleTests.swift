// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The issuers that a token may name, from the metadata to the account key.
@Suite struct IssuerRuleTests {
    static let organizations = "https://login.microsoftonline.com/organizations/v2.0"
    static let template = "https://login.microsoftonline.com/{tenantid}/v2.0"

    static func tenant(_ id: String) -> String { "https://login.microsoftonline.com/\(id)/v2.0" }

    /// A provider of many tenants; the one that signs in is `a` unless a test says otherwise.
    private static func entra(issuer: String = Self.tenant("a"), tenantID: JSONValue? = "a") throws -> TestProvider {
        let provider = try TestProvider(issuer: Self.organizations)
        provider.behave { behavior in
            behavior.metadata["issuer"] = .string(Self.template)
            behavior.metadata["authorization_response_iss_parameter_supported"] = .null
            behavior.changeClaims = { claims, _ in
                claims["iss"] = .string(issuer)
                claims["tid"] = tenantID
            }
        }
        return provider
    }

    private static func session(
        _ provider: TestProvider, _ tenants: [String], _ type: ResponseType = .code
    ) -> UnpluggedSession {
        UnpluggedSession(provider) { configuration in
            configuration.tenants = tenants
            configuration.responseType = type
            configuration.responseMode = type == .code ? .query : .formPost
        }
    }

    /// The same response without `iss`, or with another.
    private static func withIssuer(_ issuer: String?, _ response: String) throws -> String {
        var pairs = try FormURLEncoding.parse(response.utf8).texts.filter { $0.name != "iss" }.map {
            ($0.name, $0.value)
        }
        if let issuer { pairs.append(("iss", issuer)) }
        return FormURLEncoding.encode(pairs)
    }

    @Test(.attack(.foreignTenant)) func `a tenant of the list signs in, under its own issuer`() throws {
        for tenants in [["a"], ["b", "a"]] {
            let session = Self.session(try Self.entra(), tenants)
            #expect(session.party.configuration.validate().isEmpty)
            let signIn = try session.signIn { try Self.withIssuer(nil, $0) }
            #expect(signIn.issuer == Self.tenant("a"))
        }
    }

    @Test(
        .attack(.foreignTenant),
        arguments: [
            (IssuerRuleTests.tenant("c"), "c"), (IssuerRuleTests.tenant("a"), "b"), (IssuerRuleTests.tenant("b"), "a"),
            (IssuerRuleTests.tenant("a"), nil), (IssuerRuleTests.template, "{tenantid}"),
            (IssuerRuleTests.template, "a"), (IssuerRuleTests.organizations, "a"), (IssuerRuleTests.tenant("A"), "A"),
            (IssuerRuleTests.tenant("a") + "/", "a"), (IssuerRuleTests.tenant(""), ""),
            (IssuerRuleTests.tenant("a"), 1), (IssuerRuleTests.tenant("a"), .array(["a"])),
        ] as [(String, JSONValue?)])
    func `any other tenant is refused, and so is an issuer that is not the tenant's`(
        issuer: String, tenantID: JSONValue?
    ) throws {
        let session = Self.session(try Self.entra(issuer: issuer, tenantID: tenantID), ["a", "b"])
        #expect(try session.refusal { try Self.withIssuer(nil, $0) }?.finding?.check == IDTokenCheck.issuer.name)
    }

    @Test(.attack(.foreignTenant)) func `without a list of tenants there is no template`() throws {
        let session = Self.session(try Self.entra(), [])
        #expect(try session.refusal()?.step == .discovery)
    }

    @Test(arguments: [("a", true), ("b", false), ("c", false)])
    func `RFC 9207 iss is of a tenant of the list, and the token's own`(
        id: String, isAccepted: Bool
    ) throws {
        let front = Self.session(try Self.entra(), ["a", "b"], .idToken)
        let error = try front.refusal { try Self.withIssuer(Self.tenant(id), $0) }
        #expect((error == nil) == isAccepted)
        let back = Self.session(try Self.entra(), ["a", "b"])
        let code = try back.refusal { try Self.withIssuer(Self.tenant(id), $0) }
        #expect((code == nil) == isAccepted)
        if id == "c" { #expect(code == .issuerMismatch) }
    }

    @Test(.attack(.foreignTenant)) func `the second token is of the first one's tenant`() throws {
        let provider = try Self.entra()
        provider.behave { behavior in
            behavior.changeClaims = { claims, isFront in
                claims["iss"] = .string(Self.tenant(isFront ? "a" : "b"))
                claims["tid"] = isFront ? "a" : "b"
            }
        }
        let session = Self.session(provider, ["a", "b"], .codeIDToken)
        #expect(try session.refusal { try Self.withIssuer(nil, $0) }?.finding?.check == IDTokenCheck.issuer.name)
    }

    @Test(
        .attack(.nearlyTheIssuer),
        arguments: [
            ("https://accounts.google.com", true), ("accounts.google.com", true),
            ("https://accounts.google.com/", false),
            ("http://accounts.google.com", false), ("google.com", false),
        ])
    func `Google's two spellings are one issuer`(issuer: String, isAccepted: Bool) throws {
        let provider = try TestProvider(issuer: "https://accounts.google.com")
        provider.behave { behavior in behavior.changeClaims = { claims, _ in claims["iss"] = .string(issuer) } }
        let session = UnpluggedSession(provider)
        if isAccepted {
            #expect(try session.signIn().issuer == "https://accounts.google.com")
        } else {
            #expect(try session.refusal()?.finding?.check == IDTokenCheck.issuer.name)
        }
    }

    @Test(.attack(.nearlyTheIssuer)) func `no other issuer has two spellings`() throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { claims, _ in claims["iss"] = "issuer.example" } }
        #expect(try UnpluggedSession(provider).refusal()?.finding?.check == IDTokenCheck.issuer.name)
    }

    @Test(.attack(.nearlyTheIssuer)) func `a slash is part of the issuer`() throws {
        let provider = try TestProvider(issuer: "https://issuer.example/")
        #expect(try UnpluggedSession(provider).signIn().issuer == "https://issuer.example/")
        #expect(provider.requests.first?.url.text == "https://issuer.example/.well-known/openid-configuration")
        provider.behave { $0.changeClaims = { claims, _ in claims["iss"] = "https://issuer.example" } }
        #expect(try UnpluggedSession(provider).refusal()?.finding?.check == IDTokenCheck.issuer.name)
        provider.behave { behavior in behavior.metadata["issuer"] = "https://issuer.example" }
        #expect(try UnpluggedSession(provider).refusal()?.step == .discovery)
    }
}
