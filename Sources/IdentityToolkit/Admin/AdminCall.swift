// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTransfer
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OpenIDRelyingParty

/// One request of an operator, who has proved to be one.
struct AdminCall: AccountCall {
    let service: AccountService
    let operation: AdminOperation
    let broker: BrokerAccess
    /// What makes session cookies; `nil` if they are not offered.
    let cookies: SessionCookies?

    var label: String { operation.label }
    var failureName: String { operation.label }
    var event: AuditEvent.Kind? { operation.event }
    /// No app has the token of an operator.
    var appName: String? { nil }

    func response(to error: any Error) -> BrokerResponse {
        switch error {
        case let error as ToolkitError: .refusal(error)
        case let refusal as AccountRefusal: .refusal(ToolkitError(refusal.code, in: .update))
        case let error as AccountTokenError: .refusal(Self.refusal(of: error))
        default: .unavailable()
        }
    }

    func response(
        to request: BrokerRequest
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        switch operation {
        case .lookup: return try lookup(body(request))
        case .update: return try update(AdminUpdateRequest(body(request)))
        case .delete: return try delete(body(request))
        case .create: return try create(AdminCreateRequest(body(request), now: broker.now))
        case .batchCreate: return take(Array(request.body.readableBytesView))
        case .batchDelete: return try delete(AdminBatchDeleteRequest(body(request)))
        case .batchGet:
            let request = try AdminBatchGetRequest(broker.query)
            return service.page(after: request.after, limit: request.limit, on: eventLoop) {
                AdminBatchGetRequest.response($0)
            }
        case .createSessionCookie: return try makeSessionCookie(AdminSessionCookieRequest(body(request)))
        case .unsupported:
            throw .unsupportedAdminOperation(at: broker.path)
        }
    }

    /// What the operator is told of the ID token of a user.
    private static func refusal(of error: AccountTokenError) -> ToolkitError {
        guard error.code == .expired else { return ToolkitError(.invalidIDToken) }
        let minutes = SessionCookies.maximumTokenAge / 60
        return ToolkitError(.tokenExpired, "Send an ID token that was issued in the last \(minutes) minutes.")
    }

    private func body(_ request: BrokerRequest) throws(ToolkitError) -> ToolkitBody {
        try ToolkitBody(json: Array(request.body.readableBytesView))
    }

    private func lookup(_ body: ToolkitBody) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        let request = try AdminLookupRequest(body) { id in
            broker.provider(id: id)?.relyingParty.configuration.issuers ?? []
        }
        return service.accounts(by: request.keys, on: eventLoop).map {
            BrokerResponse(LookupResponse.members(of: $0, isForOperator: true))
        }
    }

    private func update(_ request: AdminUpdateRequest) -> EventLoopFuture<BrokerResponse> {
        service.update(request.account, by: request.change, on: eventLoop).map { profile in
            audit(.accountAdminUpdate, of: request.account)
            return BrokerResponse(UpdateResponse(account: profile.account, identities: profile.identities).members)
        }
    }

    private func create(_ request: AdminCreateRequest) -> EventLoopFuture<BrokerResponse> {
        service.create(request.user, on: eventLoop).flatMapThrowing { outcome in
            let response = try request.response(outcome)
            audit(.accountAdminCreate, of: request.user.account.id)
            return response
        }
    }

    private func take(_ bytes: [UInt8]) -> EventLoopFuture<BrokerResponse> {
        let decoder = UserDecoder(issuers: ProviderIssuers(broker), now: broker.now)
        // On a thread of the store, since there may be 8 MB of them.
        return service.store.transact(.read, on: eventLoop) { _ in
            try AdminBatchCreateRequest(bytes, decoder)
        }.flatMap { request in
            // Users who are there already stay as they are: no identity is added to an account.
            service.take(request.users.map(\.user), ImportChoices(), on: eventLoop) { id in
                audit(.accountAdminCreate, of: id)
            }.map { request.response($0) }
        }
    }

    private func makeSessionCookie(
        _ request: AdminSessionCookieRequest
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        guard let cookies else {
            throw ToolkitError(.operationNotAllowed, "createSessionCookie needs auth.accounts.session-cookie-keys.")
        }
        return service.makeSessionCookie(
            of: request.idToken, lifetime: request.lifetime, by: cookies, on: eventLoop
        ).map { BrokerResponse(["sessionCookie": .string($0)]) }
    }

    private func delete(_ body: ToolkitBody) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        try body.refuseTenant()
        let account = try body.account()
        return service.delete(account, on: eventLoop).map {
            audit(.accountAdminDelete, of: account)
            return BrokerResponse.deleted
        }
    }

    private func delete(_ request: AdminBatchDeleteRequest) -> EventLoopFuture<BrokerResponse> {
        service.delete(request.accounts.map(\.id), isForced: request.isForced, on: eventLoop) { id in
            audit(.accountAdminDelete, of: id)
        }.map { request.response($0) }
    }
}
