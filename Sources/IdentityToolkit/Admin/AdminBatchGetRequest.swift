// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBroker
import OIDCBrokerHTTP
import OpenIDConnect

/// A request of an operator for a page of the list of accounts.
struct AdminBatchGetRequest: Sendable {
    /// The identifier after which the page begins; `nil` for the first page.
    let after: AccountID?
    /// The maximum number of accounts.
    let limit: Int

    /// - Parameter query: The query of the request, undecoded.
    init(_ query: Substring) throws(ToolkitError) {
        let (received, token): (WireText?, WireText?)
        do throws(ParametersError) {
            let parameters = try FormURLEncoding.parse(query)
            (received, token) = (
                try parameters.nonEmptyValue("maxResults"), try parameters.nonEmptyValue("nextPageToken")
            )
        } catch {
            throw ToolkitError(.invalidArgument, "The query cannot be read, or has a parameter twice.")
        }
        limit = if let received { try Self.limit(received) } else { AccountLimits.page }
        after = if let token { try Self.account(token) } else { nil }
    }

    private static func limit(_ text: WireText) throws(ToolkitError) -> Int {
        guard let digits = text.ascii(atMost: 4), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let limit = Int(digits), (1...AccountLimits.page).contains(limit)
        else { throw ToolkitError(.invalidArgument, "maxResults is a number, 1 to \(AccountLimits.page).") }
        return limit
    }

    private static func account(_ text: WireText) throws(ToolkitError) -> AccountID {
        guard let text = text.visibleASCII(atMost: longestToken), let bytes = Base64URL.decode(text),
            bytes.first == tokenVersion, bytes.count > 1 + checksumByteCount,
            let id = String(validating: bytes.dropFirst().dropLast(checksumByteCount), as: UTF8.self)
                .flatMap({ AccountID($0) }),
            token(of: id).hasSameBytes(as: text)
        else { throw ToolkitError(.invalidArgument, "nextPageToken was not issued by this server.") }
        return id
    }

    private static let tokenVersion: UInt8 = 1
    private static let checksumByteCount = 4
    private static let longestToken = (AccountID.maximumBytes + checksumByteCount + 1) * 4 / 3 + 1

    /// The token of the page after an account: its identifier, which may be any text, with a checksum that tells it from
    /// anything else.
    static func token(of id: AccountID) -> String {
        let content = [tokenVersion] + Array(id.text.utf8)
        return Base64URL.encode(content + Hash.sha256(content).prefix(checksumByteCount))
    }

    /// The response with a page.
    static func response(_ page: AccountOperations.AccountPage) -> BrokerResponse {
        var members: JSONObject = ["kind": "identitytoolkit#DownloadAccountResponse"]
        if !page.profiles.isEmpty { members["users"] = .array(page.profiles.map { $0.operatorUser }) }
        members.set("nextPageToken", page.next.map { token(of: $0) })
        return BrokerResponse(members)
    }
}
