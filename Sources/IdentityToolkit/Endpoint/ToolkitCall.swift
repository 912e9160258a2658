// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker

/// One request of an app.
struct ToolkitCall: Sendable {
    let toolkit: IdentityToolkit
    let operation: ToolkitOperation
    let app: SDKApp
    let broker: BrokerAccess
    let sealer: PendingCredentialSealer

    var service: AccountService { toolkit.service }
    var eventLoop: any EventLoop { broker.eventLoop }

    /// Responds. The future does not fail.
    func respond(to request: BrokerRequest) -> EventLoopFuture<ToolkitResponse> {
        do throws(ToolkitError) {
            return try response(to: request).recover { ToolkitResponse(error: $0, in: operation) }
        } catch {
            return eventLoop.makeSucceededFuture(ToolkitResponse(error, for: operation))
        }
    }

    private func response(
        to request: BrokerRequest
    ) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        switch operation {
        case .unsupported, .revokeToken: throw .unsupportedOperation
        case .project: return eventLoop.makeSucceededFuture(project)
        case .token: return try refresh(RefreshRequest(body(request)))
        case .createAuthUri:
            _ = try CreateAuthURIRequest(body(request))
            let sessionID = Base64URL.encode(SecureRandom.bytes(16))
            return eventLoop.makeSucceededFuture(.authURI(sessionID: sessionID))
        case .lookup: return lookup(try LookupRequest(body(request)))
        case .update: return try update(UpdateRequest(body(request)))
        case .delete: return delete(try DeleteRequest(body(request)))
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
        guard toolkit.limits.mayProceed(.refresh(request.refreshToken.sessionID)) else {
            throw ToolkitError(.tooManyAttempts)
        }
        let projectID = service.tokens.projectID
        return service.refresh(request.refreshToken, on: eventLoop).map { refreshed in
            ToolkitResponse(
                RefreshedTokensResponse(
                    account: refreshed.account.id, idToken: refreshed.idToken, refreshToken: request.refreshToken,
                    projectID: projectID
                ).members)
        }
    }

    private func lookup(_ request: LookupRequest) -> EventLoopFuture<ToolkitResponse> {
        service.lookup(idToken: request.idToken, on: eventLoop).map { profile in
            ToolkitResponse(LookupResponse(account: profile.account, identities: profile.identities).members)
        }
    }

    private func update(_ request: UpdateRequest) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        try limitWrites(request.idToken)
        return service.update(
            displayName: request.displayName, photoURL: request.photoURL, unlinking: request.deletedProviders,
            idToken: request.idToken, on: eventLoop
        ).map { profile in
            ToolkitResponse(UpdateResponse(account: profile.account, identities: profile.identities).members)
        }
    }

    private func delete(_ request: DeleteRequest) -> EventLoopFuture<ToolkitResponse> {
        service.delete(idToken: request.idToken, on: eventLoop).map { .deleted }
    }

    /// Limits the writes of the account of a session. A token that is not one of ours is refused by the operation.
    func limitWrites(_ idToken: String) throws(ToolkitError) {
        guard
            let account = try? service.tokens.verify(
                idToken, now: broker.now, afterExpiry: AccountService.graceAfterExpiry
            ).account
        else { return }
        guard toolkit.limits.mayProceed(.write(account)) else { throw ToolkitError(.tooManyAttempts) }
    }
}

extension ToolkitResponse {
    /// Creates the response to an error of what was called.
    init(error: any Error, in operation: ToolkitOperation) {
        switch error {
        case let error as ToolkitError: self.init(error, for: operation)
        case let refusal as AccountRefusal: self.init(ToolkitError(refusal.code, in: operation), for: operation)
        case let error as AccountTokenError:
            switch error.code {
            case .expired: self.init(ToolkitError(.tokenExpired), for: operation)
            // The clock of the server that made it is ahead, which passes.
            case .notYetValid: self = .trouble()
            default: self.init(ToolkitError(.invalidIDToken), for: operation)
            }
        // Everything else is trouble of this server, which signs nobody out.
        default: self = .trouble()
        }
    }
}
