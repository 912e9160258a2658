// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OIDCBroker
import OpenIDRelyingParty

/// One request of an operator, who has proved to be one.
struct AdminCall: Sendable {
    let service: AccountService
    let operation: AdminOperation
    let broker: BrokerAccess

    private var eventLoop: any EventLoop { broker.eventLoop }

    /// Responds. The future does not fail.
    func respond(to request: BrokerRequest) -> EventLoopFuture<ToolkitResponse> {
        do throws(ToolkitError) {
            return try response(to: request).map { response in
                record(response)
                return response
            }.recover { error in
                let response = Self.response(to: error)
                if response.isTrouble { broker.noteAccountTrouble(in: operation.label, error) }
                record(response, error)
                return response
            }
        } catch {
            let response = ToolkitResponse.refusal(error)
            record(response, error)
            return eventLoop.makeSucceededFuture(response)
        }
    }

    private static func response(to error: any Error) -> ToolkitResponse {
        switch error {
        case let error as ToolkitError: .refusal(error)
        case let refusal as AccountRefusal: .refusal(ToolkitError(refusal.code, in: .update))
        default: .trouble()
        }
    }

    private func response(
        to request: BrokerRequest
    ) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        switch operation {
        case .lookup: return try lookup(body(request))
        case .update: return try update(AdminUpdateRequest(body(request)))
        case .delete: return try delete(body(request))
        case .batchDelete: return try delete(AdminBatchDeleteRequest(body(request)))
        case .batchGet:
            let request = try AdminBatchGetRequest(broker.query)
            return service.page(after: request.after, limit: request.limit, on: eventLoop) {
                AdminBatchGetRequest.response($0)
            }
        case .unsupported:
            throw ToolkitError(.notImplemented, "This server manages accounts only as its documentation says.")
        }
    }

    private func body(_ request: BrokerRequest) throws(ToolkitError) -> ToolkitBody {
        try ToolkitBody(json: Array(request.body.readableBytesView))
    }

    private func lookup(_ body: ToolkitBody) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        let request = try AdminLookupRequest(body) { id in
            broker.provider(id: id)?.relyingParty.configuration.issuers ?? []
        }
        return service.accounts(by: request.keys, on: eventLoop).map {
            ToolkitResponse(LookupResponse.members(of: $0))
        }
    }

    private func update(_ request: AdminUpdateRequest) -> EventLoopFuture<ToolkitResponse> {
        service.update(request.account, by: request.change, on: eventLoop).map { profile in
            audit(.accountAdminUpdate, of: request.account)
            return ToolkitResponse(UpdateResponse(account: profile.account, identities: profile.identities).members)
        }
    }

    private func delete(_ body: ToolkitBody) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        try body.refuseTenant()
        let account = try body.account()
        return service.delete(account, on: eventLoop).map {
            audit(.accountAdminDelete, of: account)
            return ToolkitResponse.deleted
        }
    }

    private func delete(_ request: AdminBatchDeleteRequest) -> EventLoopFuture<ToolkitResponse> {
        service.delete(request.accounts.map(\.id), isForced: request.isForced, on: eventLoop) { id in
            audit(.accountAdminDelete, of: id)
        }.map { request.response($0) }
    }

    // MARK: Record

    /// Counts a response, and audits one that changed nothing.
    private func record(_ response: ToolkitResponse, _ error: (any Error)? = nil) {
        let outcome = AccountOperationOutcome(response, error)
        broker.count(operation.label, outcome)
        guard outcome != .succeeded, let event = operation.event else { return }
        broker.audit(event, outcome, app: nil)
    }

    /// Audits a change that was made.
    private func audit(_ event: AuditEvent.Kind, of account: AccountID) {
        broker.audit(event, .succeeded, app: nil, account: account.text)
    }
}
