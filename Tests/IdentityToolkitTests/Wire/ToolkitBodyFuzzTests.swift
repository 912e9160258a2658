// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import JOSE
import OpenIDConnect
import Testing

@testable import IdentityToolkit

/// Any bytes as a body: refused, or each member is what the body says, and every request is read from it or refused.
struct ToolkitBodyFuzzTests {
    private static let rounds = 6000

    private static let corpus = [
        #"{"requestUri":"http://localhost","postBody":"&id_token=h.p.s&providerId=p","autoCreate":false}"#,
        #"{"request_uri":"http://localhost","pending_token":"p","session_id":"\u0000\ufffd","id_token":"t"}"#,
        #"{"idToken":"t","displayName":null,"photoUrl":"https://a","deleteAttribute":["PHOTO_URL",2],"tenantId":null}"#,
        #"{"id_token":"t","deleteProvider":["apple.com",7],"localId":"u"}"#,
        #"{"providerId":"apple.com","tokenType":"3","token":"c","idToken":"t","redirectUri":"https://a/b"}"#,
        #"{"grantType":"refresh_token","refreshToken":"t"}"#,
        #"{"identifier":"ada@example.com","continueUri":"http://localhost","x":[[[{"y":{"z":[1e9,-0.5]}}]]]}"#,
        "grant_type=refresh_token&refresh_token=t%2B&x=1",
    ]

    private static let dictionary = [
        "null", "true", "\"true\"", "3", "\"3\"", "[]", "{}", "{", "\"", ",", ":", "\\u0000", "\"idToken\":\"t\",",
        "\"id_token\":7,", "[[[[[[[[", "\"tenantId\":\"t\",", "&refresh_token=", "%41", "\0", "\u{E9}", "1e400",
    ]

    private static let texts: [ToolkitMember] = [
        .requestUri, .postBody, .sessionId, .pendingToken, .idToken, .providerId, .token, .grantType, .refreshToken,
        .identifier, .localId, .tenantId,
    ]

    /// What a member says, by another way: from all members by their names.
    private static func said(_ member: ToolkitMember, _ object: JSONObject) -> JSONValue? {
        let names = [member.camelCase, member.snakeCase ?? member.camelCase]
        let own = object.members.filter { found in names.contains { found.name.hasSameBytes(as: $0) } }
        return own.count == 1 ? own[0].value : nil
    }

    private static func violation(of body: ToolkitBody, _ object: JSONObject) -> String? {
        for member in texts {
            guard let text = try? body.text(member) else { continue }
            guard let said = Self.said(member, object) else { return "\(member.camelCase) is said nowhere, or twice" }
            let isSame = said.text == text || said.numberValue != nil && said.serialized().elementsEqual(text.utf8)
            if !isSame || text.isEmpty { return "\(member.camelCase) is another text" }
        }
        return nil
    }

    /// Reads every request. What a request holds is checked already.
    private static func violationOfRequests(from body: ToolkitBody) -> String? {
        let isToken = { (text: String) in !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
        if let request = try? SignInWithIdpRequest(body, isHandler: { $0.path == "/__/auth/handler" }) {
            if let token = request.idToken, !isToken(token) { return "a session's token that is none" }
            switch request.credential {
            case .pending(let token):
                guard isToken(token) else { return "a pending credential that is none" }
            case .handler(let url):
                guard url.path == "/__/auth/handler" else { return "no handler" }
            case .native(let token):
                guard isToken(token.idToken), isToken(token.providerID) else { return "no token of a provider" }
            }
        }
        if let request = try? LookupRequest(body), !isToken(request.idToken) { return "a lookup without a token" }
        if let request = try? DeleteRequest(body), !isToken(request.idToken) { return "a deletion without a token" }
        if let request = try? UpdateRequest(body), !isToken(request.idToken) { return "an update without a token" }
        if let request = try? RevokeTokenRequest(body), !isToken(request.providerID) { return "no provider" }
        _ = try? RefreshRequest(body)
        _ = try? CreateAuthURIRequest(body)
        return nil
    }

    @Test func `what is read is what the body says`() {
        var mutator = Mutator(
            corpus: Self.corpus, dictionary: Self.dictionary, separators: ",", longest: 2048, seed: 0x626F_6479)
        var accepted = 0
        for round in 0..<Self.rounds {
            let input = round < Self.corpus.count ? Array(Self.corpus[round].utf8) : mutator.next()
            if let body = try? ToolkitBody(form: input), let violation = Self.violationOfRequests(from: body) {
                Issue.record("round \(round), \(violation): \(Base64.encode(input))")
            }
            guard let body = try? ToolkitBody(json: input) else { continue }
            // No bytes are an object without members.
            let json = input.isEmpty ? Array("{}".utf8) : input
            let limits = JSONLimits(maximumBytes: 65_536, maximumDepth: 32)
            guard let object = try? JSONParser.object(json, limits: limits) else {
                Issue.record("round \(round), no object: \(Base64.encode(input))")
                continue
            }
            accepted += 1
            if let violation = Self.violation(of: body, object) ?? Self.violationOfRequests(from: body) {
                Issue.record("round \(round), \(violation): \(Base64.encode(input))")
            }
        }
        #expect(accepted > 100)
        #expect(accepted < Self.rounds - 100)
    }
}
