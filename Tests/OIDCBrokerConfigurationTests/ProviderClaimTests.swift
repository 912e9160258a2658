// SPDX-License-Identifier: Apache-2.0

import Configuration
import JOSE
import OIDCBrokerConfiguration
import Testing
import TestingSupport

/// The claims that a provider hands on, and those that an app requires, without a broker.
struct ProviderClaimTests {
    private typealias Fixture = ConfigurationFixture
    typealias Required = BrokerConfiguration.RequiredClaims

    private static func picked(_ entries: [String], of claims: JSONObject) throws -> JSONObject {
        try entries.map { BrokerConfiguration.ProviderClaim(entry: $0) }.picked(from: claims)
    }

    /// What Entra sends to an app with app roles and groups, without what every ID token has.
    private static let entra: JSONObject = [
        "tid": "9122040d-6c67-4c5b-b112-36a304b66dad", "oid": "690222be-ff1a-4d56-abd1-7e4f7d38e474",
        "preferred_username": "ada@acme.example", "roles": ["Task.Writer"],
        "groups": ["02bd9fd6-8f93-4758-87c3-1fb73740a315", "06d0ea38-6d4d-4f23-9f0d-6c1a1b2d2a9f"],
    ]

    /// What Keycloak sends with its usual mappers, and one for groups.
    private static let keycloak: JSONObject = [
        "preferred_username": "ada", "groups": ["/staff", "/staff/admins"],
        "realm_access": ["roles": ["offline_access", "editor"]],
        "resource_access": ["shop": ["roles": ["manager"]], "account": ["roles": ["view-profile"]]],
    ]

    /// Claims, entries of the configuration, and the names of those that are handed on.
    struct Pick: Sendable {
        let claims: JSONObject
        let entries: [String]
        let names: [String]
    }

    private static let picks: [Pick] = [
        Pick(claims: entra, entries: ["groups", "roles", "tid", "oid"], names: ["groups", "roles", "tid", "oid"]),
        Pick(claims: keycloak, entries: ["roles=realm_access.roles", "groups"], names: ["roles", "groups"]),
        Pick(
            claims: keycloak, entries: ["mine=resource_access.shop.roles", "all=resource_access"],
            names: ["mine", "all"]),
        Pick(
            claims: keycloak, entries: ["roles=realm_access.role", "x=groups.a", "y=realm_access.roles.a"], names: []),
        Pick(
            claims: ["a": ["b": "path"], "c": "", "d": .null, "e": []], entries: ["one=a.b", "c", "d", "e"],
            names: ["one"]),
    ]

    @Test(arguments: picks)
    func `a claim goes on by its name or its path, and a blank one does not`(pick: Pick) throws {
        #expect(try Self.picked(pick.entries, of: pick.claims).members.map { $0.name.makeString() } == pick.names)
    }

    @Test func `lists and objects are not changed, and an exact name precedes a path`() throws {
        let picked = try Self.picked(["roles=realm_access.roles", "shop=resource_access.shop"], of: Self.keycloak)
        #expect(picked["roles"] == ["offline_access", "editor"])
        #expect(picked["shop"] == ["roles": ["manager"]])
        #expect(try Self.picked(["one=a.b"], of: ["a": ["b": "path"], "a.b": "exact"])["one"] == "exact")
    }

    @Test func `a claim of 2 KB goes on, a longer one is an error and not cut`() throws {
        // The quotation marks and brackets count.
        let list = { (count: Int) -> JSONObject in ["groups": .array([.string(String(repeating: "g", count: count))])] }
        #expect(try Self.picked(["groups"], of: list(2044))["groups"] == list(2044)["groups"])
        #expect(throws: ClaimError("'groups' is longer than 2048 bytes")) {
            try Self.picked(["groups"], of: list(2045))
        }
        #expect(throws: ClaimError("'teams' is longer than 2048 bytes")) {
            try Self.picked(["teams=groups"], of: list(2045))
        }
    }

    @Test func `a claim that is kept may be longer, up to 32 KB with all that are, and a claim of a scope never`()
        throws
    {
        let claims = ["groups", "hd", "address"].map { BrokerConfiguration.ProviderClaim(entry: $0) }
        let sent = { (groups: Int, address: Int) -> JSONObject in
            [
                "groups": .string(String(repeating: "g", count: groups - 2)), "hd": "a",
                "address": .string(String(repeating: "a", count: address - 2)),
            ]
        }
        #expect(claims.namesOfFurther == ["groups", "hd"])
        // {"groups":…,"hd":"a","address":…} is 31 bytes longer than groups and address.
        let longest = sent(30_689, 2048)
        #expect(longest.serialized().count == 32_768)
        #expect(try claims.picked(from: longest, keeping: claims.namesOfFurther) == longest)
        #expect(throws: ClaimError("the claims, with 'groups', 'hd', are longer than 32768 bytes")) {
            try claims.picked(from: sent(30_690, 2048), keeping: claims.namesOfFurther)
        }
        #expect(throws: ClaimError("'address' is longer than 2048 bytes")) {
            try claims.picked(from: sent(3, 2049), keeping: claims.namesOfFurther)
        }
    }

    @Test func `groups that Entra has elsewhere are an error with that word`() throws {
        let overage: JSONObject = [
            "_claim_names": ["groups": "src1"],
            "_claim_sources": ["src1": ["endpoint": "https://graph.windows.net/t/users/u/getMemberObjects"]],
        ]
        let error = #expect(throws: ClaimError.self) { try Self.picked(["groups"], of: overage) }
        #expect(error?.description == "'groups' is in '_claim_names': the provider does not send it itself")
        #expect(throws: ClaimError.self) { try Self.picked(["teams=groups"], of: overage) }
        #expect(throws: ClaimError.self) { try Self.picked(["teams=groups.names"], of: overage) }
        #expect(try Self.picked(["roles"], of: overage).members.isEmpty)
    }

    // MARK: What an app requires

    struct Decision: Sendable, CustomTestStringConvertible {
        let required: Required.Value
        let claim: JSONValue?
        let isMet: Bool

        init(_ required: Required.Value, _ claim: JSONValue?, _ isMet: Bool) {
            (self.required, self.claim, self.isMet) = (required, claim, isMet)
        }

        var testDescription: String { "\(required) by \(claim.map { "\($0)" } ?? "nothing"): \(isMet)" }
    }

    private static let decisions: [Decision] = [
        Decision(.anyOf(["staff"]), "staff", true), Decision(.anyOf(["staff"]), "Staff", false),
        Decision(.anyOf(["staff"]), "staff ", false), Decision(.anyOf(["staff", "boss"]), "boss", true),
        Decision(.anyOf(["staff"]), ["a", "staff"], true), Decision(.anyOf(["staff"]), ["a", "staffing"], false),
        Decision(.anyOf(["staff"]), ["a", ["staff"]], false), Decision(.anyOf(["staff"]), [], false),
        Decision(.anyOf(["staff"]), ["staff": true], false), Decision(.anyOf(["staff"]), true, false),
        Decision(.anyOf(["staff"]), 5, false), Decision(.anyOf(["5"]), 5, false), Decision(.anyOf(["5"]), [5], false),
        Decision(.anyOf(["staff"]), .null, false), Decision(.anyOf(["staff"]), nil, false),
        Decision(.anyOf(["\u{E9}"]), "\u{E9}", true), Decision(.anyOf(["\u{E9}"]), "e\u{301}", false),
        Decision(.anyOf([]), [], false), Decision(.anyOf([""]), nil, false),
        Decision(.bool(true), true, true), Decision(.bool(true), false, false), Decision(.bool(false), false, true),
        Decision(.bool(true), "true", false), Decision(.bool(true), 1, false), Decision(.bool(false), nil, false),
        Decision(.bool(true), [true], false), Decision(.anyOf(["true"]), true, false),
        Decision(.anyOf(["true"]), "true", true),
    ]

    @Test(arguments: decisions)
    func `a text is one of them, a list contains one, a Boolean is it, and nothing else is met`(decision: Decision) {
        let required = Required(["acme": ["claim": decision.required]])
        var claims: JSONObject = [:]
        claims["claim"] = decision.claim
        #expect((required.unmet(by: claims, of: "acme") == nil) == decision.isMet)
    }

    @Test func `all claims of a provider are required, and of another provider nothing is enough`() {
        let required = Required(["acme": ["groups": .anyOf(["staff"]), "email_verified": .bool(true)], "globex": [:]])
        #expect(required.unmet(by: ["groups": ["staff"], "email_verified": true], of: "acme") == nil)
        #expect(required.unmet(by: ["groups": ["staff"]], of: "acme") == "the app requires 'email_verified'")
        #expect(required.unmet(by: ["email_verified": true], of: "acme") == "the app requires 'groups'")
        for other in ["globex", "oidc.acme", "Acme", ""] {
            #expect(
                required.unmet(by: ["groups": ["staff"], "email_verified": true], of: other)
                    == "the app requires claims of other providers only")
        }
        #expect(Required().unmet(by: [:], of: "acme") == nil)
    }

    private static let emails: [(claims: JSONObject, isVerified: Bool)] = [
        (["email": "a@b.example", "email_verified": true], true),
        (["email": "a@b.example", "email_verified": "true"], true),
        (["email": "a@b.example", "email_verified": "TRUE"], false),
        (["email": "a@b.example", "email_verified": false], false),
        (["email": "a@b.example"], false), (["email_verified": true], false),
        (["email": "", "email_verified": true], false),
    ]

    @Test(arguments: emails)
    func `an email is verified if its provider says so of it`(claims: JSONObject, isVerified: Bool) throws {
        let deciding = try [BrokerConfiguration.ProviderClaim]().deciding(from: claims)
        #expect(deciding["email_verified"] == .bool(isVerified))
    }

    // MARK: Configuration

    @Test func `claims and what an app requires are read as they are written`() async throws {
        let configuration = try await Fixture.read([
            "auth.provider.acme.claims": Fixture.list(
                "groups", "roles=realm_access.roles", "https://acme.example/plan", "hd"),
            "auth.app.shop.require.acme.groups": Fixture.list("staff", "a,b=c"),
            "auth.app.shop.require.acme.hd": Fixture.list("true"),
            "auth.app.shop.require.acme.email_verified": true,
            "auth.app.shop.id-token-claims": "minimal",
        ])
        #expect(
            configuration.providers[0].claims == [
                .init("groups"), .init("roles", path: "realm_access.roles"), .init("https://acme.example/plan"),
                .init("hd"),
            ])
        #expect(
            configuration.providers[0].claims.map(\.description) == [
                "groups", "roles=realm_access.roles", "https://acme.example/plan", "hd",
            ])
        #expect(
            configuration.apps[0].require
                == Required([
                    "acme": [
                        "groups": .anyOf(["staff", "a,b=c"]), "hd": .anyOf(["true"]), "email_verified": .bool(true),
                    ]
                ]))
        #expect(configuration.apps[0].idTokenClaims == .minimal)
    }

    @Test(arguments: [("true", Required.Value.bool(true)), ("1", .anyOf(["1"])), ("a,b", .anyOf(["a", "b"]))])
    func `in an environment true is a Boolean, and anything else is a list of texts`(
        text: String, value: Required.Value
    ) async throws {
        let environment = EnvironmentVariablesProvider(environmentVariables: [
            "AUTH_PUBLIC_URL": "http://127.0.0.1:8080", "AUTH_PROVIDERS": "acme", "AUTH_APPS": "shop",
            "AUTH_PROVIDER_ACME_ISSUER": "https://login.acme.example", "AUTH_PROVIDER_ACME_CLIENT_ID": "broker",
            "AUTH_PROVIDER_ACME_CLIENT_SECRET": "s3cret-of-acme", "AUTH_PROVIDER_ACME_CLAIMS": "level,groups",
            "AUTH_APP_SHOP_REDIRECT_URIS": "https://shop.example/callback", "AUTH_APP_SHOP_REQUIRE_ACME_LEVEL": text,
        ])
        let configuration = try await BrokerConfiguration(config: ConfigReader(provider: environment))
        #expect(configuration.apps[0].require == Required(["acme": ["level": value]]))
    }

    @Test(arguments: [
        ("sub", "is not configured here"), ("email", "is not configured here"),
        ("mail=email", "is not configured here"),
        ("user=sub", "is not configured here"), ("verified=email_verified", "is not configured here"),
        ("iss", "claim of the broker or of a token"), ("account", "claim of the broker"),
        ("upstream_sub=oid", "claim of the broker"), ("provider", "claim of the broker"),
        ("sid", "claim of the broker"),
        ("scope", "claim of the broker or of a token"), ("auth_time", "claim of the broker or of a token"),
        ("events=groups", "claim of the broker or of a token"),
        ("preferred_username=upn", "no other claim can replace it"),
        ("username=preferred_username", "under its own name only"), ("country=address.country", "its own name only"),
        ("name=cn", "no other claim can replace it"), ("picture=thumbnail", "no other claim can replace it"),
        ("realm_access.roles", "a path needs a name, as in roles=realm_access.roles"),
        ("=groups", "a name has"), ("gr oups", "a name has"), ("groups=", "a path has"),
        (String(repeating: "n", count: 129), "a name has"), ("n=" + String(repeating: "p", count: 257), "a path has"),
        (#"{"id_token":{}}"#, "claims-parameter"),
    ])
    func `a name that is not free is an error`(entry: String, reason: String) async throws {
        let found = try await Fixture.errors(["auth.provider.acme.claims": Fixture.list(entry)])
        #expect(found.map(\.key) == ["auth.provider.acme.claims"])
        #expect(found.first?.expected.contains(reason) == true, "\(found)")
    }

    @Test func `the standard claims go on under their own names, each once`() async throws {
        let names = ["preferred_username", "name", "locale", "zoneinfo", "phone_number", "address", "hd", "tid", "oid"]
        let claims = ConfigValue(.stringArray(names), isSecret: false)
        #expect(try await Fixture.errors(["auth.provider.acme.claims": claims]).isEmpty)
        let twice = try await Fixture.errors(["auth.provider.acme.claims": Fixture.list("groups", "groups=roles")])
        #expect(twice.first?.expected.contains("a name is listed twice") == true)
        let long = String(repeating: "n", count: 128) + "=" + String(repeating: "p", count: 256)
        #expect(try await Fixture.errors(["auth.provider.acme.claims": Fixture.list(long)]).isEmpty)
    }

    @Test func `what an app requires must be a claim of a provider that it may use`() async throws {
        let groups = ["auth.provider.acme.claims": Fixture.list("groups") as ConfigValue?]
        func errors(_ changes: [String: ConfigValue?]) async throws -> [ConfigurationError] {
            try await Fixture.errors(groups.merging(changes) { $1 })
        }
        let empty = try await errors(["auth.app.shop.require.acme.groups": Fixture.list()])
        #expect(empty.map(\.key) == ["auth.app.shop.require"])
        #expect(empty.first?.expected.contains("a provider has no required claim, or a claim has no values") == true)
        let text = try await errors(["auth.app.shop.require.acme.groups": "staff"])
        #expect(text.map(\.key) == ["auth.app.shop.require.acme.groups"])
        let unlisted = try await Fixture.errors(["auth.app.shop.require.acme.groups": Fixture.list("staff")])
        #expect(unlisted.map(\.key) == ["auth.app.shop.require"])
        #expect(unlisted.first?.expected.contains("neither in auth.provider.acme.claims nor email_verified") == true)
        let whole = try await errors(["auth.app.shop.require": Fixture.list("acme:groups=staff")])
        #expect(whole.map(\.key) == ["auth.app.shop.require"])
        var configuration = try await Fixture.read(groups)
        for required: Required in [
            Required(["acne": ["groups": .anyOf(["staff"])]]), Required(["acme": ["group": .anyOf(["staff"])]]),
            Required(["acme": [:]]), Required(["acme": ["email_verified": .anyOf(["true"])]]),
            Required(["acme": ["email": .anyOf(["ada@acme.example"])]]),
        ] {
            configuration.apps[0].require = required
            #expect(configuration.validate().map(\.key) == ["auth.app.shop.require"], "\(required)")
        }
        configuration.apps[0].require = Required(["acme": ["groups": .anyOf(["staff"])]])
        #expect(configuration.validate().isEmpty)
    }
}
