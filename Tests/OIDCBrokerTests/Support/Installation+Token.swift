// SPDX-License-Identifier: Apache-2.0

import Admission
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import OIDCBroker
import OIDCBrokerHTTP
import TestingSupport

extension Installation {
    /// A token request.
    func tokenRequest(_ form: [(String, String)], fields: HTTPFields = [:]) -> BrokerRequest {
        var fields = fields
        if fields[.contentType] == nil { fields[.contentType] = "application/x-www-form-urlencoded" }
        return BrokerRequest(
            head: HTTPRequest(
                method: .post, scheme: "https", authority: "auth.example.com", path: "/__/auth/token",
                headerFields: fields),
            body: ByteBuffer(string: Query.encode(form)))
    }

    /// Returns the response to a token request.
    func token(_ form: [(String, String)], fields: HTTPFields = [:]) throws -> BrokerResponse {
        try respond(tokenRequest(form, fields: fields))
    }

    /// Returns the response to a token request that may have to wait.
    func pending(_ form: [(String, String)], from client: IPAddress? = nil) -> PendingResponse {
        var request = tokenRequest(form)
        request.client = client
        let pending = PendingResponse(broker.respond(to: request, on: eventLoop))
        eventLoop.run()
        return pending
    }

    /// An app redeems a code.
    func redeem(_ code: String, _ app: AppClient) throws -> BrokerResponse {
        try token(app.tokenForm(code))
    }

    /// HTTP Basic, each part form-encoded first.
    static func basic(_ clientID: String, _ secret: String) -> HTTPFields {
        let pair = Query.encode(clientID) + ":" + Query.encode(secret)
        return [.authorization: "Basic " + Data(pair.utf8).base64EncodedString()]
    }
}
