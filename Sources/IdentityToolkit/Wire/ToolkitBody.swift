// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The body of a request, in which a member is looked up in either of its spellings. Members that are not looked up are
/// ignored, whatever they are; a name that is there twice is refused.
struct ToolkitBody: Sendable {
    /// The maximum length, in bytes.
    static let maximumBytes = 65_536
    /// The maximum nesting of arrays and objects.
    static let maximumDepth = 32

    private let members: JSONObject

    /// Creates a body, or a part of one, of an object that was read.
    init(_ members: JSONObject) {
        self.members = members
    }

    /// Reads a JSON object. An empty body has no members, so that the member that is missing is named.
    init(json bytes: [UInt8]) throws(ToolkitError) {
        guard !bytes.isEmpty else {
            members = JSONObject()
            return
        }
        let limits = JSONLimits(maximumBytes: Self.maximumBytes, maximumDepth: Self.maximumDepth)
        do throws(JSONError) {
            members = try JSONParser.object(bytes, limits: limits)
        } catch {
            throw ToolkitError(.invalidArgument, "The body cannot be read: \(error.description).")
        }
    }

    /// Reads a form, which JavaScript sends to the token endpoint. Its values are texts.
    init(form bytes: [UInt8]) throws(ToolkitError) {
        guard bytes.count <= Self.maximumBytes else {
            throw ToolkitError(.invalidArgument, "The body is longer than 64 KB.")
        }
        let parameters: Parameters
        do throws(ParametersError) {
            parameters = try FormURLEncoding.parse(bytes)
        } catch {
            throw ToolkitError(.invalidArgument, "The form cannot be read: \(error.description).")
        }
        var members = JSONObject()
        for parameter in parameters.all {
            guard members[parameter.name] == nil else {
                throw ToolkitError(.invalidArgument, "A parameter is in the form twice.")
            }
            members[parameter.name] = .text(parameter.value)
        }
        self.members = members
    }

    /// Reads the body of the token endpoint: a form if the Content-Type field says so, else JSON.
    init(tokenRequest bytes: [UInt8], contentType: String?) throws(ToolkitError) {
        if MediaType.essence(of: contentType) == "application/x-www-form-urlencoded" {
            try self.init(form: bytes)
        } else {
            try self.init(json: bytes)
        }
    }

    /// The value of a member, `null` included; Swift's `nil` if it is absent.
    func member(_ name: ToolkitMember) throws(ToolkitError) -> JSONValue? {
        let value = members[name.camelCase]
        guard let snakeCase = name.snakeCase, let other = members[snakeCase] else { return value }
        guard value == nil else {
            throw ToolkitError(.invalidArgument, "\(name.camelCase) is there in two spellings. Send one.")
        }
        return other
    }

    /// The value of a member; `nil` if it is absent or `null`.
    func value(_ name: ToolkitMember) throws(ToolkitError) -> JSONValue? {
        guard let value = try member(name), value != .null else { return nil }
        return value
    }

    /// Refuses a request for a tenant. There are none.
    func refuseTenant() throws(ToolkitError) {
        guard try text(.tenantId) == nil else {
            throw ToolkitError(.unsupportedTenantOperation, "There are no tenants here. Send no tenantId.")
        }
    }
}
