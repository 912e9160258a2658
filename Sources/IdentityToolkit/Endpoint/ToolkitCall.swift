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

    var service: AccountService { toolkit.accounts(for: broker.client) }
    var label: String { operation.label }
    var troubleName: String { "\(operation)" }
    var event: AuditEvent.Kind? { operation.event }
    var appName: String? { app.name }

    func response(to error: any Error) -> ToolkitResponse { ToolkitResponse(error: error, in: operation) }

    func response(
        to request: BrokerRequest
    ) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        switch operation {
        case .unsupported: throw .unsupportedOperation
        case .revokeToken:
            return try revoke(
                RevokeTokenRequest(body(request)), bundleID: request.headerFields[.iOSBundleIdentifier])
        case .project: return eventLoop.makeSucceededFuture(project)
        case .token: return try refresh(RefreshRequest(body(request)))
        case .createAuthUri:
            _ = try CreateAuthURIRequest(body(request))
            let sessionID = Base64URL.encode(SecureRandom.bytes(16))
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

    private var project: ToolkitResponse {
        ToolkitResponse(
            ProjectResponse(
                projectID: service.tokens.projectID, authorizedDomains: app.domains.map(\.clientText)
            ).members)
    }

    private func refresh(_ request: RefreshRequest) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        let token = request.refreshToken
        guard toolkit.limits.mayProceed(.refresh(token.sessionID, secretHash: token.secretHash)) else {
            throw ToolkitError(.tooManyAttempts)
        }
        let projectID = service.tokens.projectID
        return service.refresh(token, on: eventLoop).map { refreshed in
            ToolkitResponse(
                RefreshedTokensResponse(
                    account: refreshed.account.id, idToken: refreshed.idToken, refreshToken: token,
                    projectID: projectID
                ).members)
        }
    }

    private func lookup(_ request: LookupRequest) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        func answer(_ profile: EventLoopFuture<AccountService.Profile>) -> EventLoopFuture<ToolkitResponse> {
            profile.map {
                ToolkitResponse(LookupResponse(account: $0.account, identities: $0.identities).members)
            }
        }
        // A server of this machine looks up whoever sends it a token.
        guard !toolkit.isOnLoopback else { return answer(service.lookup(idToken: request.idToken, on: eventLoop)) }
        return try asking(request.idToken, for: .lookup) { asking throws(ToolkitError) in
            answer(counting(asking, service.lookup(asking: asking.session, on: eventLoop)))
        }
    }

    private func update(_ request: UpdateRequest) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        try asking(request.idToken) { asking throws(ToolkitError) in
            let updated = service.update(
                displayName: request.displayName, photoURL: request.photoURL, unlinking: request.deletedProviders,
                asking: asking.session, on: eventLoop)
            return counting(asking, updated).map { profile in
                if !request.deletedProviders.isEmpty { audit(.accountUnlink, of: profile.account.id) }
                return ToolkitResponse(UpdateResponse(account: profile.account, identities: profile.identities).members)
            }
        }
    }

    private func delete(_ request: DeleteRequest) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        try asking(request.idToken, for: .deletion) { asking throws(ToolkitError) in
            service.delete(asking: asking.session, on: eventLoop).map {
                audit(.accountDelete, of: asking.session.account)
                return ToolkitResponse.deleted
            }
        }
    }
}

extension ToolkitResponse {
    /// Creates the response to an error of what was called.
    init(error: any Error, in operation: ToolkitOperation) {
        switch error {
        case let error as ToolkitError: self.init(error, for: operation)
        case let refusal as AccountRefusal: self.init(ToolkitError(refusal.code, in: operation), for: operation)
        // It is about the token that the client sent. Where none could be made, the error is another one.
        case let error as AccountTokenError:
            switch error.code.value {
            case .expired: self.init(ToolkitError(.tokenExpired), for: operation)
            // The clock of the server that made it is ahead, which passes.
            case .notYetValid: self = .trouble()
            case .tooLong, .malformed, .algorithm, .unknownKey, .signature, .issuer, .audience, .claim, .mismatch:
                self.init(ToolkitError(.invalidIDToken), for: operation)
            }
        // Everything else is trouble of this server, which signs nobody out.
        default: self = .trouble()
        }
    }
}
