// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Testing

@testable import IdentityToolkit

/// A row of the table of the wire: a request as a client writes it, and the response that the client expects.
struct ToolkitWireRow: Sendable, CustomTestStringConvertible {
    /// A response.
    enum Expected: Sendable {
        /// Status 200 with members of exactly these names. The values stand at paths into objects and arrays; null
        /// means no value.
        case members([String], [String: JSONValue] = [:])
        /// An error whose message contains a text.
        case error(ToolkitError.Code, String = "")
        /// An empty 503, which signs no user out.
        case unavailable
    }

    let name: String
    let client: ToolkitWireClient
    let operation: ToolkitOperation
    let expected: Expected
    let method: HTTPRequest.Method
    /// The path and the query.
    let target: String
    let contentType: String
    let options: ToolkitWireScene.Options
    /// Does what happened before the request, and makes its body.
    let body: @Sendable (ToolkitWireScene) async throws -> [UInt8]

    var testDescription: String { "\(client.rawValue), \(operation): \(name)" }

    /// - Parameters:
    ///   - path: The path; `nil` for the client's.
    ///   - query: The query; `nil` for one with the client's key.
    init(
        _ name: String, _ client: ToolkitWireClient, _ operation: ToolkitOperation, _ expected: Expected,
        method: HTTPRequest.Method = .post, path: String? = nil, query: String? = nil,
        contentType: String = "application/json", options: ToolkitWireScene.Options = ToolkitWireScene.Options(),
        bytes: @escaping @Sendable (ToolkitWireScene) async throws -> [UInt8]
    ) {
        self.name = name
        self.client = client
        self.operation = operation
        self.expected = expected
        self.method = method
        let query = query ?? "key=" + client.apiKey
        target = (path ?? client.path(operation)) + (query.isEmpty ? "" : "?" + query)
        self.contentType = contentType
        self.options = options
        body = bytes
    }

    init(
        _ name: String, _ client: ToolkitWireClient, _ operation: ToolkitOperation, _ expected: Expected,
        method: HTTPRequest.Method = .post, path: String? = nil, query: String? = nil,
        contentType: String = "application/json", options: ToolkitWireScene.Options = ToolkitWireScene.Options(),
        json: @escaping @Sendable (ToolkitWireScene) async throws -> JSONObject
    ) {
        self.init(
            name, client, operation, expected, method: method, path: path, query: query, contentType: contentType,
            options: options, bytes: { try await json($0).serialized() })
    }

    init(
        _ name: String, _ client: ToolkitWireClient, _ operation: ToolkitOperation, _ expected: Expected,
        method: HTTPRequest.Method = .post, path: String? = nil, query: String? = nil,
        contentType: String = "application/json", options: ToolkitWireScene.Options = ToolkitWireScene.Options(),
        text: @escaping @Sendable (ToolkitWireScene) async throws -> String
    ) {
        self.init(
            name, client, operation, expected, method: method, path: path, query: query, contentType: contentType,
            options: options, bytes: { Array(try await text($0).utf8) })
    }
}
