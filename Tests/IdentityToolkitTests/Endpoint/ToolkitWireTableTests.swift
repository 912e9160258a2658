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

/// Every operation, error and spelling of the wire, through a whole broker.
struct ToolkitWireTableTests {
    @Test(arguments: ToolkitWireTable.rows)
    func `each request gets the response that its client expects`(row: ToolkitWireRow) async throws {
        let scene = try ToolkitWireScene(row.client, row.options)
        let request = try await row.body(scene)
        let contents = scene.store.model.contents
        let response = try await scene.respond(to: row, request)
        let body = Array(response.body.readableBytesView)
        checkHead(response, row)
        switch row.expected {
        case .unavailable:
            #expect(response.head.status == .serviceUnavailable && body.isEmpty)
            #expect(response.head.headerFields[.contentType] == "text/plain")
            let seconds = try #require(response.head.headerFields[.retryAfter].flatMap { Int($0) })
            #expect(seconds > 0)
            #expect(scene.store.model.contents == contents)
        case .error(let code, let text):
            let members = try read(response, body)
            try checkError(members, status: response.head.status.code, code, text)
            checkSecrets(of: request, in: members)
            #expect(scene.store.model.contents == contents)
        case .members(let names, let values):
            let members = try read(response, body)
            #expect(response.head.status == .ok, "\(members.message ?? "")")
            #expect(members.members.map { $0.name.makeString() }.sorted() == names.sorted())
            for (path, value) in values {
                let expected = value == .null ? nil : value
                #expect(Self.value(at: path, in: members) == expected, "\(path)")
            }
            try checkTokens(members, request, scene)
            checkSecrets(of: request, in: members)
            // A credential that comes back did not sign in.
            if names.contains("pendingToken") { #expect(scene.store.model.contents == contents) }
        }
    }

    @Test func `each code occurs, but for those that no request gets`() {
        let codes = ToolkitWireTable.rows.compactMap { row -> ToolkitError.Code? in
            if case .error(let code, _) = row.expected { code } else { nil }
        }
        let unreachable = ToolkitWireTable.unreachable.keys
        #expect(Set(codes) == Set(ToolkitError.Code.allCases).subtracting(unreachable))
    }

    @Test func `each client asks for each operation, and no row is there twice`() {
        let rows = ToolkitWireTable.rows
        for client in ToolkitWireClient.allCases {
            let operations = Set(rows.filter { $0.client == client }.map(\.operation))
            let missing = Set(ToolkitOperation.allCases).subtracting(operations)
            // Only JavaScript and Apple's systems request everything that is not offered.
            #expect(missing.isSubset(of: [.unsupported]), "\(client)")
        }
        #expect(Set(rows.map(\.testDescription)).count == rows.count)
        #expect(rows.count > 400)
    }

    // MARK: What every response is

    private func checkHead(_ response: BrokerResponse, _ row: ToolkitWireRow) {
        let fields = response.head.headerFields
        #expect(fields[.vary] == "Origin")
        #expect(fields[.accessControlAllowOrigin] == row.client.fields[.origin])
        #expect(fields[.accessControlAllowCredentials] == nil)
        #expect(fields[.setCookie] == nil)
        #expect(fields[.cacheControl] == "no-store")
    }

    private func read(_ response: BrokerResponse, _ body: [UInt8]) throws -> JSONObject {
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(response.head.headerFields[.retryAfter] == nil)
        let members = try JSONParser.object(body, limits: JSONLimits(maximumBytes: 1 << 20))
        #expect(!Self.hasNull(.object(members)))
        return members
    }

    private func checkError(
        _ members: JSONObject, status: Int, _ code: ToolkitError.Code, _ text: String
    ) throws {
        let error = try #require(members["error"]?.objectValue)
        #expect(members.count == 1)
        let message = try #require(error.string("message"))
        #expect(message == code.rawValue || message.hasPrefix(code.rawValue + " : "), "\(message)")
        #expect(text.isEmpty || message.contains(text), "\(message)")
        // No address, and nothing of the request that is no ASCII.
        #expect(!message.contains("@") && message.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        let isForbidden = code == .permissionDenied || code == .insufficientPermission
        #expect(status == (isForbidden ? 403 : 400))
        #expect(error["code"] == .number(JSONNumber(Int64(status))))
        #expect(error.string("status") == (isForbidden ? ToolkitError.Code.permissionDenied.rawValue : nil))
        let entries = try #require(error["errors"]?.arrayValue)
        let entry = try #require(entries.first?.objectValue)
        #expect(entries.count == 1)
        #expect(entry["message"] == error["message"])
        #expect(entry["domain"] == "global")
        #expect(entry["reason"] == .string(Self.reason(code)))
    }

    private static func reason(_ code: ToolkitError.Code) -> String {
        switch code {
        case .apiKeyNotValid: "keyInvalid"
        case .permissionDenied, .insufficientPermission: "forbidden"
        default: "invalid"
        }
    }

    /// Checks that the tokens are those of the account that the response names, and that claims are a text.
    private func checkTokens(_ members: JSONObject, _ request: [UInt8], _ scene: ToolkitWireScene) throws {
        let now = scene.installation.clock.now()
        if let idToken = members.string("idToken") ?? members.string("id_token") {
            let account = try scene.installation.service.tokens.verify(idToken, now: now).account
            #expect(account.text == members.string("localId") ?? members.string("user_id"))
            let refreshToken = try #require(members.string("refreshToken") ?? members.string("refresh_token"))
            #expect(RefreshToken(refreshToken) != nil)
        }
        if let accessToken = members["access_token"] {
            #expect(accessToken == members["id_token"])
            let sent = try #require(members.string("refresh_token"))
            #expect(String(decoding: request, as: UTF8.self).contains(sent))
        }
        if let claims = members.string("rawUserInfo") {
            let object = try JSONParser.object(Array(claims.utf8), limits: JSONLimits(maximumBytes: 1 << 20))
            #expect(object["sub"] == members["federatedId"])
        }
    }

    /// Checks that nothing of the request that may be a token or a nonce is in the response, but where a client gets
    /// back what it sent.
    private func checkSecrets(of request: [UInt8], in members: JSONObject) {
        let rest = String(decoding: Self.withoutEchoes(.object(members)).serialized(), as: UTF8.self)
        #expect(!rest.contains(ToolkitWireScene.nonce))
        for part in request.split(whereSeparator: { !Self.isOfToken($0) }) where part.count >= 40 {
            #expect(!rest.contains(String(decoding: part, as: UTF8.self)))
        }
    }

    // MARK: JSON

    /// The members in which a client gets back what it sent, or what it or its provider says about the user.
    private static let echoes: Set<String> = [
        "oauthIdToken", "oauthAccessToken", "refresh_token", "displayName", "fullName", "firstName", "lastName",
        "photoUrl", "providerId",
    ]

    private static func withoutEchoes(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            var rest = JSONObject()
            for member in object.members where !echoes.contains(member.name.makeString()) {
                rest[member.name] = withoutEchoes(member.value)
            }
            return .object(rest)
        case .array(let elements): return .array(elements.map { withoutEchoes($0) })
        case .null, .bool, .number, .text: return value
        }
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static func hasNull(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .array(let elements): elements.contains { hasNull($0) }
        case .object(let object): object.members.contains { hasNull($0.value) }
        case .bool, .number, .text: false
        }
    }

    /// The value at a path of names and positions; `nil` if there is none.
    private static func value(at path: String, in members: JSONObject) -> JSONValue? {
        var value: JSONValue? = .object(members)
        for part in path.split(separator: "/") {
            if let position = Int(part) {
                let elements = value?.arrayValue ?? []
                value = elements.indices.contains(position) ? elements[position] : nil
            } else {
                value = value?.objectValue?[String(part)]
            }
        }
        return value
    }
}
