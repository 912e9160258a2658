// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerRecords

/// One request of an app.
struct ToolkitCall: AccountCall {
    let toolkit: IdentityToolkit
    let operation: ToolkitOperation
    let app: SDKApp
    let broker: BrokerAccess
    let sealer: PendingCredentialSealer
    /// Whether a web page of the app sent it.
    let isOfPage: Bool

    var service: AccountService { toolkit.accounts(for: broker.client) }
    var label: String { operation.label }
    var failureName: String { "\(operation)" }
    var event: AuditEvent.Kind? { operation.event }
    var appName: String? { app.name }

    func response(to error: any Error) -> BrokerResponse { BrokerResponse(error: error, in: operation) }

    func response(
        to request: BrokerRequest
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        switch operation {
        case .unsupported: throw .unsupportedOperation
        case .revokeToken:
            return try revoke(
                RevokeTokenRequest(body(request)), bundleID: request.headerFields[.iOSBundleIdentifier])
        case .project: return eventLoop.makeSucceededFuture(project)
        case .token: return try refresh(RefreshRequest(body(request)))
        case .createAuthUri:
            let sent = try CreateAuthURIRequest(body(request)).sessionID
            let sessionID = sent ?? WireText(Base64URL.encode(SecureRandom.bytes(16)))
            return eventLoop.makeSucceededFuture(.authURI(sessionID: sessionID))
        case .lookup: return try lookup(LookupRequest(body(request)))
        case .update: return try update(UpdateRequest(body(request)))
        case .delete: return try delete(DeleteRequest(body(request)))
        case .signInWithIdp:
            return try signIn(SignInWithIdpRequest(body(request), isHandler: toolkit.isHandler))
        }
    }

    private func body(_ request: BrokerRequest) throws(ToolkitError) -> ToolkitBody {
        let bytes = Array(request.body.readableBytesView)
        guard operation == .token else { return try ToolkitBody(json: bytes) }
        return try ToolkitBody(tokenRequest: bytes, contentType: request.headerFields[.contentType])
    }

    // MARK: Operations without a credential of a provider

    private var project: BrokerResponse {
        BrokerResponse(
            ProjectResponse(
                projectID: service.tokens.projectID, authorizedDomains: app.domains.map(\.clientText)
            ).members)
    }

    private func refresh(_ request: RefreshRequest) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        let token = request.refreshToken
        guard toolkit.limits.mayProceed(.refresh(token.sessionID, secretHash: token.secretHash)) else {
            throw ToolkitError(.tooManyAttempts)
        }
        let projectID = service.tokens.projectID
        return service.refresh(token, on: eventLoop).map { refreshed in
            BrokerResponse(
                RefreshedTokensResponse(
                    account: refreshed.account.id, idToken: refreshed.idToken, refreshToken: token,
                    projectID: projectID
                ).members)
        }
    }

    private func lookup(_ request: LookupRequest) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        func answer(_ profile: EventLoopFuture<AccountService.Profile>) -> EventLoopFuture<BrokerResponse> {
            profile.map {
                BrokerResponse(LookupResponse(account: $0.account, identities: $0.identities).members)
            }
        }
        // A server on this machine looks up the user of each token that it receives.
        guard !toolkit.isOnLoopback else {
            do throws(AccountTokenError) {
                return answer(
                    service.lookup(asking: try service.verify(asking: request.idToken).session, on: eventLoop))
            } catch {
                return eventLoop.makeFailedFuture(error)
            }
        }
        return try asking(request.idToken, for: .lookup) { asking throws(ToolkitError) in
            answer(counting(asking, service.lookup(asking: asking.session, on: eventLoop)))
        }
    }

    private func update(_ request: UpdateRequest) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        try asking(request.idToken) { asking throws(ToolkitError) in
            let updated = service.update(
                displayName: request.displayName, photoURL: request.photoURL, unlinking: request.deletedProviders,
                asking: asking.session, on: eventLoop)
            return counting(asking, updated).map { profile in
                if !request.deletedProviders.isEmpty { audit(.accountUnlink, of: profile.account.id) }
                return BrokerResponse(UpdateResponse(account: profile.account, identities: profile.identities).members)
            }
        }
    }

    private func delete(_ request: DeleteRequest) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        try asking(request.idToken, for: .deletion) { asking throws(ToolkitError) in
            service.delete(asking: asking.session, on: eventLoop).map {
                audit(.accountDelete, of: asking.session.account)
                return BrokerResponse.deleted
            }
        }
    }
}
