// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OpenIDRelyingParty

extension Router {
    /// The endpoints beyond those of a sign-in by the browser: what apps and providers post, and Apple's file.
    func respondBeyond(to request: BrokerRequest, path: String) -> Eventual<BrokerResponse> {
        let paths = snapshot.paths
        switch path {
        case paths.credential:
            return CredentialEndpoint(snapshot: snapshot, services: services, eventLoop: eventLoop)
                .respond(to: request)
        case paths.revoke:
            return RevocationEndpoint(snapshot: snapshot, services: services, eventLoop: eventLoop)
                .respond(to: request)
        case BrokerConfiguration.appleDomainAssociationPath:
            guard let file = snapshot.configuration.appleDomainAssociation else { break }
            return .value(domainAssociation(file, request.head.method))
        default:
            guard let provider = snapshot.notifiers[WireText(path)] else { break }
            return NotificationEndpoint(snapshot: snapshot, services: services, eventLoop: eventLoop)
                .respond(to: request, from: provider)
        }
        return .value(.plain(status: .notFound, "There is nothing here.\n"))
    }

    /// Apple's file, byte for byte.
    private func domainAssociation(_ file: [UInt8], _ method: HTTPRequest.Method) -> BrokerResponse {
        var response: BrokerResponse
        switch method {
        case .get, .head:
            response = .plain(status: .ok, "")
            response.head.headerFields[.contentType] = "text/plain"
            response.body = ByteBuffer(bytes: file)
        default:
            response = .plain(status: .methodNotAllowed, "That method is not allowed here.\n")
            response.head.headerFields[.allow] = "GET, HEAD"
        }
        return response
    }
}
