// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Why an ID token is accepted or refused.
@Suite struct ExplanationTests {
    private let provider: TestProvider

    init() throws {
        provider = try TestProvider()
    }

    /// The claims of a token that is accepted, with others in their place; null takes one out.
    private func claims(_ others: JSONObject = [:]) -> JSONObject {
        let now = provider.clock.now()
        var claims: JSONObject = [
            "iss": .string(provider.issuer), "sub": "person-ada", "aud": "client", "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + 300)), "nonce": "a-nonce",
        ]
        for member in others.members { claims[member.name] = member.value == .null ? nil : member.value }
        return claims
    }

    private func explain(
        _ token: String, nonce: String? = "a-nonce", accessToken: String? = nil, code: String? = nil,
        maximumAge: Int64? = nil, now: Int64? = nil, keys: [JSONObject]? = nil,
        _ configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) throws -> IDTokenExplanation {
        let published = keys ?? [provider.key.publicJWK]
        let set = try KeySet(json: (["keys": .array(published.map { .object($0) })] as JSONObject).serialized())
        return UnpluggedSession(provider, configure).party.explain(
            idToken: token, keys: set, metadata: try metadata(provider.issuer), nonce: nonce, accessToken: accessToken,
            code: code, maximumAge: maximumAge, now: now)
    }

    private func failed(_ explanation: IDTokenExplanation) -> [String] {
        explanation.checks.filter { $0.verdict == .fail }.map(\.name)
    }

    private func skipped(_ explanation: IDTokenExplanation) -> [String] {
        explanation.checks.filter { $0.verdict == .skip }.map(\.name)
    }

    private func passed(_ explanation: IDTokenExplanation) -> [String] {
        explanation.checks.filter { $0.verdict == .pass }.map(\.name)
    }

    @Test func `a token that is accepted meets every check, and each says what it wanted and found`() throws {
        let explanation = try explain(provider.key.sign(claims(), type: "JWT"))
        #expect(explanation.holds)
        #expect(
            explanation.checks.map(\.name) == ["token", "signature"] + IDTokenPolicy.standard.checks.map(\.name))
        #expect(skipped(explanation) == [IDTokenCheck.subjectContinuity.name, IDTokenCheck.authenticationTime.name])
        #expect(explanation.claims?["sub"] == "person-ada")
        #expect(explanation.header?["typ"] == "JWT")
        // A check that is not described would say this.
        #expect(!explanation.checks.contains { $0.found == "as it is" })
        let issuer = explanation.checks.first { $0.name == "issuer" }
        #expect(issuer?.wanted == "'\(provider.issuer)'")
        #expect(issuer?.found == "'\(provider.issuer)'")
    }

    /// A token with one thing wrong, and the check that says so.
    @Test(
        arguments: [
            ("issuer", ["iss": "https://other.example"]), ("audience", ["aud": "other"]),
            ("authorized party", ["azp": "other"]), ("subject", ["sub": .null]), ("expiry", ["exp": 1]),
            ("issued at", ["iat": .null]), ("not before", ["nbf": 4_000_000_000]), ("nonce", ["nonce": "another"]),
            ("token kind", ["events": [:]]),
        ] as [(String, JSONObject)])
    func `the check that fails is the one that refuses a sign-in`(name: String, others: JSONObject) throws {
        let token = try provider.key.sign(claims(others), type: "JWT")
        let explanation = try explain(token)
        #expect(failed(explanation) == [name])
        #expect(!explanation.holds)
        // The same as at a sign-in.
        let keys = try KeySet(
            json: (["keys": .array([.object(provider.key.publicJWK)])] as JSONObject).serialized())
        let payload = try JSONWebSignature(compact: token).verified(by: keys, algorithms: [.es256])
        let expectation = IDTokenExpectation(
            issuer: provider.issuer, clientID: "client", nonce: "a-nonce", now: provider.clock.now())
        let finding = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.validate(payload, expectation)
        }
        let check = explanation.checks.first { $0.verdict == .fail }
        #expect(check?.name == finding?.check)
        #expect(check?.wanted == finding?.wanted)
        #expect(check?.found == finding?.found)
    }

    @Test func `checks after one that fails are made too`() throws {
        let token = try provider.key.sign(
            claims(["iss": "https://other.example", "aud": "other", "exp": 1]), type: "JWT")
        #expect(failed(try explain(token)) == ["issuer", "audience", "expiry"])
    }

    @Test func `a wrong signature is no reason not to look at the claims`() throws {
        let token = try provider.strangeKey.sign(claims(["aud": "other"]), header: ["kid": .string(provider.key.keyID)])
        let explanation = try explain(token)
        #expect(failed(explanation) == ["signature", "audience"])
        #expect(explanation.keys.map(\.reason) == ["tried: it does not verify the signature"])
        #expect(explanation.claims?["aud"] == "other")
    }

    @Test func `each key says why it was chosen or was not`() throws {
        let other = try SigningKey.generate(.es256).publicJWK
        let otherKind = try SigningKey.generate(.eddsa).publicJWK
        var encryption = try SigningKey.generate(.es256).publicJWK
        encryption["use"] = "enc"
        let explanation = try explain(
            provider.key.sign(claims(), type: "JWT"), keys: [encryption, other, otherKind, provider.key.publicJWK])
        #expect(explanation.holds)
        #expect(
            explanation.keys.map(\.reason) == [
                "not tried: its kid is not the token's", "not tried: it is not for the token's alg",
                "used: it verifies the signature", "skipped: not for verifying signatures",
            ])
        #expect(explanation.keys.map(\.isSigner) == [false, false, true, false])
    }

    @Test func `a token without kid is tried with every key up to a bound`() throws {
        let others = try (0..<JSONWebSignature.mostCandidates).map { _ in
            try SigningKey.generate(.es256).publicJWK
        }
        let token = try provider.key.sign(header: ["alg": "ES256"], payload: claims().serialized())
        let explanation = try explain(token, keys: others + [provider.key.publicJWK])
        #expect(failed(explanation) == ["signature"])
        #expect(explanation.keys.last?.reason == "not tried: enough keys were tried")
    }

    @Test(arguments: ["none", "nOnE", "XX256", "RS256", "HS256"])
    func `an algorithm that is not allowed fails, and the claims are still looked at`(name: String) throws {
        let token = try provider.key.sign(
            header: ["alg": .string(name)], payload: claims(["aud": "other"]).serialized())
        let explanation = try explain(token)
        #expect(failed(explanation).contains("token"))
        #expect(failed(explanation).contains("audience"))
        #expect(explanation.header?["alg"] == .string(name))
    }

    @Test(arguments: [
        "", ".", "..", "....", "a.b.c", "{}", "\u{301}\u{301}.é.ü", String(repeating: "a", count: 70_000),
    ])
    func `what is no token fails, and nothing is claimed of its claims`(text: String) throws {
        let explanation = try explain(text)
        #expect(failed(explanation) == ["token"])
        #expect(explanation.claims == nil)
        #expect(skipped(explanation).count == IDTokenPolicy.standard.checks.count + 1)
    }

    @Test func `what is not known here is not checked`() throws {
        let others: JSONObject = ["at_hash": "x", "c_hash": "y", "s_hash": "z"]
        let explanation = try explain(provider.key.sign(claims(others), type: "JWT"), nonce: nil)
        #expect(explanation.holds)
        #expect(
            skipped(explanation) == [
                "subject continuity", "nonce", "authentication time", "access token hash", "code hash", "state hash",
            ])
        #expect(
            explanation.checks.compactMap(\.unknown) == [
                .subject, .nonce, .maximumAge, .accessToken, .code, .state,
            ])
    }

    @Test(arguments: [["nonce": .null], ["nonce": "other"], ["nonce": 7]] as [JSONObject])
    func `without the nonce that was sent no nonce passes, nor does its absence`(others: JSONObject) throws {
        let token = try provider.key.sign(claims(others), type: "JWT")
        let explanation = try explain(token, nonce: nil)
        #expect(explanation.holds)
        #expect(skipped(explanation).contains("nonce") && !passed(explanation).contains("nonce"))
    }

    @Test func `hashes are those of what is told`() throws {
        let (code, accessToken) = ("the-code", "the-access-token")
        let others: JSONObject = [
            "at_hash": .string(TokenHash.leftHalf(of: accessToken, algorithm: .es256)),
            "c_hash": .string(TokenHash.leftHalf(of: code, algorithm: .es256)),
        ]
        let token = try provider.key.sign(claims(others), type: "JWT")
        let right = try explain(token, accessToken: accessToken, code: code)
        #expect(right.holds && passed(right).contains("access token hash") && passed(right).contains("code hash"))
        #expect(failed(try explain(token, accessToken: code, code: accessToken)) == ["access token hash", "code hash"])
        // A token of the token endpoint need not have them.
        #expect(try explain(provider.key.sign(claims(), type: "JWT"), accessToken: accessToken, code: code).holds)
        for check in right.checks {
            for secret in [code, accessToken] {
                #expect(!check.found.contains(secret) && !check.wanted.contains(secret))
            }
        }
    }

    @Test func `a token that comes beside a code must have its hash`() throws {
        let token = try provider.key.sign(claims(), type: "JWT")
        let configure: (inout ProviderConfiguration) -> Void = {
            $0.responseType = .codeIDToken
            $0.responseMode = .formPost
        }
        #expect(failed(try explain(token, code: "the-code", configure)) == ["code hash"])
        #expect(skipped(try explain(token, configure)).contains("code hash"))
        let others: JSONObject = ["c_hash": .string(TokenHash.leftHalf(of: "the-code", algorithm: .es256))]
        let hashed = try provider.key.sign(claims(others), type: "JWT")
        #expect(passed(try explain(hashed, code: "the-code", configure)).contains("code hash"))
    }

    private func hash(of text: String) -> JSONValue {
        .string(TokenHash.leftHalf(of: text, algorithm: .es256))
    }

    @Test(arguments: [ResponseType.codeIDToken, .idToken])
    func `no access token comes beside a token of an authorization response, so at_hash is ignored`(
        responseType: ResponseType
    ) throws {
        let configure: (inout ProviderConfiguration) -> Void = {
            $0.responseType = responseType
            $0.responseMode = .formPost
        }
        let check = "access token hash"
        for atHash in [hash(of: "the-access-token"), 7] {
            var others: JSONObject = ["at_hash": atHash]
            if responseType.hasCode { others["c_hash"] = hash(of: "the-code") }
            let token = try provider.key.sign(claims(others), type: "JWT")
            for told in [nil, "the-access-token", "another"] {
                let explanation = try explain(token, accessToken: told, code: "the-code", configure)
                #expect(explanation.holds)
                #expect(explanation.checks.first { $0.name == check }?.found == "not compared")
            }
        }
        // Without a code, a token of both may be that of the token endpoint.
        let token = try provider.key.sign(claims(["at_hash": hash(of: "the-access-token")]), type: "JWT")
        #expect(skipped(try explain(token, configure)).contains(check) == responseType.hasCode)
        let another = try explain(token, accessToken: "another", configure)
        #expect(failed(another) == (responseType.hasCode ? [check] : []))
    }

    @Test func `with a response type without a code a token with c_hash is refused, whatever is told`() throws {
        let configure: (inout ProviderConfiguration) -> Void = {
            $0.responseType = .idToken
            $0.responseMode = .formPost
        }
        let token = try provider.key.sign(claims(["c_hash": hash(of: "the-code")]), type: "JWT")
        for told in [nil, "the-code"] { #expect(failed(try explain(token, code: told, configure)) == ["code hash"]) }
        let without = try provider.key.sign(claims(), type: "JWT")
        for told in [nil, "the-code"] { #expect(try explain(without, code: told, configure).holds) }
    }

    @Test(arguments: [("at_hash", "access token hash"), ("c_hash", "code hash"), ("s_hash", "state hash")])
    func `a hash that is no text is refused wherever a sign-in looks at it`(claim: String, check: String) throws {
        let token = try provider.key.sign(claims([claim: 7]), type: "JWT")
        for responseType in [ResponseType.code, .codeIDToken, .idToken] {
            let explanation = try explain(token) {
                $0.responseType = responseType
                $0.responseMode = .formPost
            }
            // Of a token of an authorization response, s_hash is looked at and at_hash is not; otherwise it is the reverse.
            let isLookedAt = claim == "c_hash" || (claim == "s_hash") == (responseType == .idToken)
            #expect(failed(explanation) == (isLookedAt ? [check] : []), "\(responseType)")
        }
    }

    @Test func `the smaller max_age counts, of the one that is told and that of the configuration`() throws {
        let now = provider.clock.now()
        let others: JSONObject = ["auth_time": .number(JSONNumber(now - 200))]
        let token = try provider.key.sign(claims(others), type: "JWT")
        let check = "authentication time"
        #expect(skipped(try explain(token)).contains(check))
        #expect(passed(try explain(token, maximumAge: 140)).contains(check))
        #expect(failed(try explain(token, maximumAge: 139)) == [check])
        #expect(failed(try explain(provider.key.sign(claims(), type: "JWT"), maximumAge: 139)) == [check])
        for (told, configured) in [(139, 1000), (1000, 139)] as [(Int64, Int)] {
            let explanation = try explain(token, maximumAge: told) {
                $0.authorizationParameters = [.init(name: "max_age", value: String(configured))]
            }
            #expect(failed(explanation) == [check])
        }
        // The app may have asked for a more recent sign-in than the configuration does.
        for (configured, isRefused) in [(1000, false), (139, true)] {
            let explanation = try explain(token) {
                $0.authorizationParameters = [.init(name: "max_age", value: String(configured))]
            }
            #expect(failed(explanation) == (isRefused ? [check] : []))
            #expect(skipped(explanation).contains(check) == !isRefused)
            #expect(!passed(explanation).contains(check))
        }
    }

    @Test func `the time is what it is said to be, and its extremes are no trap`() throws {
        let token = try provider.key.sign(claims(), type: "JWT")
        let now = provider.clock.now()
        #expect(try explain(token, now: now + 359).holds)
        #expect(failed(try explain(token, now: now + 360)) == ["expiry"])
        #expect(failed(try explain(token, now: now - 61)) == ["issued at"])
        for time in [Int64.min, .max] { #expect(try !explain(token, now: time).holds) }
        for time in [Int64(0), 9_007_199_254_740_991] {
            let others: JSONObject = [
                "exp": .number(JSONNumber(time)), "iat": .number(JSONNumber(time)), "nbf": .number(JSONNumber(time)),
                "auth_time": .number(JSONNumber(time)),
            ]
            let odd = try provider.key.sign(claims(others), type: "JWT")
            for now in [Int64.min, 0, .max] {
                _ = try explain(odd, now: now) { $0.authorizationParameters = [.init(name: "max_age", value: "60")] }
            }
        }
    }

    @Test func `a nonce has the form of the provider`() throws {
        let profile = ProviderProfile(nonceForm: .sha256Hexadecimal)
        let token = try provider.key.sign(claims(["nonce": .string(profile.nonce(fromRaw: "raw"))]), type: "JWT")
        // A relying party in a test has a policy of its own.
        #expect(try explain(token, nonce: "raw") { $0.profile = profile }.holds)
        #expect(failed(try explain(token, nonce: "other") { $0.profile = profile }) == ["nonce"])
    }

    @Test func `a token with an HMAC is checked with the client secret`() throws {
        let secret = String(repeating: "s", count: 32)
        let key = try #require(SharedSecretKey(Array(secret.utf8)))
        let configure: (inout ProviderConfiguration) -> Void = {
            $0.idTokenAlgorithms = ["HS256"]
            $0.clientSecret = Secret(secret)
        }
        let token = key.sign(claims(), algorithm: .hs256, header: ["typ": "JWT"])
        let explanation = try explain(token, keys: [], configure)
        #expect(explanation.holds)
        #expect(explanation.checks.first { $0.name == "signature" }?.found == "that of the client secret")
        let other = try #require(SharedSecretKey(Array(String(repeating: "t", count: 32).utf8)))
        let forged = other.sign(claims(), algorithm: .hs256, header: ["typ": "JWT"])
        #expect(failed(try explain(forged, keys: [], configure)) == ["signature"])
        for check in explanation.checks { #expect(!check.found.contains(secret) && !check.wanted.contains(secret)) }
    }

    @Test func `without a network the configured issuer counts, and every algorithm with a public key`() throws {
        let party = UnpluggedSession(provider).party
        let assumed = try party.assumedMetadata()
        #expect(assumed.issuer == provider.issuer)
        #expect(assumed.idTokenAlgorithms == JSONWebAlgorithm.asymmetric)
        let keys = try KeySet(
            json: (["keys": .array([.object(provider.key.publicJWK)])] as JSONObject).serialized())
        let token = try provider.key.sign(claims(), type: "JWT")
        #expect(party.explain(idToken: token, keys: keys, metadata: assumed, nonce: "a-nonce").holds)
        #expect(provider.paths.isEmpty)
    }
}
