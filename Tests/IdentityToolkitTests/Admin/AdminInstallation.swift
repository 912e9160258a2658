// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import NIOPosix
import OIDCBroker
import OpenIDRelyingParty

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// The wire of an installation as the loopback listener hands requests to it, and an operator.
struct AdminInstallation: Sendable {
    static let token = "admin-token-0123456789abcdefghijklmnop"
    static let projectID = "acme-shop"
    static let accounts = "/identitytoolkit.googleapis.com/v1/projects/\(projectID)/accounts:"

    var installation: ToolkitInstallation
    var credentials = AdminCredentials(token: Secret(Self.token), acceptsOwner: false)
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    init(policy: AccountPolicy = AccountPolicy(), options: ToolkitInstallation.Options = .init()) throws {
        installation = try ToolkitInstallation(policy: policy, options: options)
    }

    /// Signs a user in over the wire.
    /// - Returns: The members of the response.
    func signIn(
        _ subject: String = "ada", at provider: String = "oidc.acme", email: String? = nil,
        linkingTo idToken: String? = nil
    ) async throws -> JSONObject {
        let token = try installation.token(subject, at: provider, email: email)
        let signedIn = try await installation.signIn(token, at: provider, idToken: idToken)
        guard signedIn.status == 200 else { throw ToolkitInstallationError() }
        return signedIn.members
    }

    /// Sends a request of an admin SDK.
    func call(
        _ operation: String, _ body: JSONObject = JSONObject(), authorization: String? = "Bearer " + Self.token
    ) async throws -> (status: Int, members: JSONObject) {
        let response = try await respond(
            .post, Self.accounts + operation, authorization: authorization, body: body.serialized())
        return (response.head.status.code, try members(response))
    }

    /// Asks for a page.
    func page(_ query: String = "") async throws -> (status: Int, members: JSONObject) {
        let response = try await respond(.get, Self.accounts + "batchGet" + query)
        return (response.head.status.code, try members(response))
    }

    func respond(
        _ method: HTTPRequest.Method, _ target: String, authorization: String? = "Bearer " + Self.token,
        fields: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> BrokerResponse {
        var fields = fields
        if let authorization { fields[.authorization] = authorization }
        let request = BrokerRequest(
            head: HTTPRequest(
                method: method, scheme: "http", authority: "127.0.0.1:9099", path: target, headerFields: fields),
            body: ByteBuffer(bytes: body), client: installation.client)
        return try await loop.flatSubmit { [self] in
            installation.broker.respond(to: request, by: IdentityToolkit.self, on: loop) { toolkit, access in
                toolkit.respondOnLoopback(to: request, with: access, admin: credentials)
            }.future(on: loop)
        }.get()
    }

    func members(_ response: BrokerResponse) throws -> JSONObject {
        let bytes = Array(response.body.readableBytesView)
        guard response.head.headerFields[.contentType] == "application/json" else { return JSONObject() }
        return try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 4_194_304))
    }
}

extension JSONObject {
    /// The users of a response; empty if there are none.
    var users: [JSONObject] { self["users"]?.arrayValue?.compactMap { $0.objectValue } ?? [] }
}
