// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTransfer
import JOSE
import OIDCBroker
import OIDCBrokerHTTP

/// A request of an operator to take users of another system. Its members beside `users`, as those of password hashes, are
/// not read.
struct AdminBatchCreateRequest: Sendable {
    /// The maximum number of users.
    static let maximumUsers = 1000
    /// The maximum length, in bytes.
    static let maximumBytes = 8 << 20

    /// The users that can be taken, each with its place in the request.
    private(set) var users: [(index: Int, user: ImportedUser)] = []
    private var errors: [(index: Int, message: String)] = []

    init(_ bytes: [UInt8], _ decoder: UserDecoder) throws(ToolkitError) {
        var rest = bytes
        var reader = UserReader {
            defer { rest = [] }
            return rest
        }
        do {
            while let element = try reader.next() {
                guard element.index < Self.maximumUsers else { throw Self.tooMany }
                do throws(UserError) {
                    users.append((element.index, try decoder.user(UserDecoder.object(element))))
                } catch {
                    errors.append((element.index, error.description))
                }
            }
        } catch let error as ToolkitError {
            throw error
        } catch {
            throw Self.noUsers
        }
        guard !users.isEmpty || !errors.isEmpty else { throw Self.noUsers }
    }

    private static let noUsers = ToolkitError(.invalidArgument, "Send a JSON object with an array of users.")
    private static let tooMany = ToolkitError(.invalidArgument, "users has at most \(maximumUsers) elements.")

    /// The response, which names the users that were not taken.
    func response(_ outcomes: [ImportOutcome]) -> BrokerResponse {
        let refused = zip(users, outcomes).compactMap { user, outcome -> (index: Int, message: String)? in
            switch outcome {
            case .added, .unchanged, .updated, .adopted: nil
            case .conflict(let conflict, let other):
                (user.index, "The account \(other) has the same \(conflict.rawValue).")
            case .hasSecondFactor: (user.index, "The user has a second factor, and would sign in without it.")
            }
        }
        let all = (errors + refused).sorted { $0.index < $1.index }
        let entries: [JSONValue] = all.map { index, message in
            .object(["index": .number(JSONNumber(Int64(index))), "message": .string(message)])
        }
        return BrokerResponse(entries.isEmpty ? JSONObject() : ["error": .array(entries)])
    }
}
