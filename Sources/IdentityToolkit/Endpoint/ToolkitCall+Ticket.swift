// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OpenIDConnect
import SingleUse

// The ticket of a login at the handler page: signs in, links or re-authenticates, as the login was begun for.
extension ToolkitCall {
    /// Redeems the ticket of a URL. The ticket is read before it is taken, so that a redemption with a wrong
    /// `sessionId`, or for another purpose than the login was begun for, does not use it up, nor does one whose new
    /// account is refused or not decided about. Once it is taken it is used up, whatever the result: a credential that
    /// does not sign in becomes the pending credential of the response.
    /// - Parameters:
    ///   - url: The URL of the handler page.
    ///   - asking: The session to whose account the identity is linked; `nil` for a sign-in.
    func redeem(
        _ url: AbsoluteURL, _ request: SignInWithIdpRequest, linkingTo asking: Asking?
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        guard let ticket = SignInTicket(of: url) else {
            throw ToolkitError(.invalidIdpResponse, "requestUri is that of the handler page and has no ticket.")
        }
        guard let sessionID = request.sessionID else {
            throw ToolkitError(.invalidIdpResponse, "Send the sessionId for which the ticket was issued.")
        }
        return broker.read(ticket.key).flatMapThrowing { sealed -> (sealed: [UInt8], record: SignInTicketRecord)? in
            // Whether one was there before, the take says.
            guard let sealed else { return nil }
            // The app of another key, and a browser that did not begin the login, learn nothing of it.
            guard let record = ticket.open(sealed), record.app.hasSameBytes(as: app.name),
                record.binding.matches(sessionID: sessionID), record.credential.isUsable(at: broker.now)
            else { throw Self.unknownTicket }
            try admit(record, request, linkingTo: asking)
            return (sealed, record)
        }.flatMap { admitted in
            permission(for: admitted?.record, request, linkingTo: asking).flatMap { permission in
                // Of those that were admitted at once the take decides.
                broker.take(ticket.key, claimSeconds: SignInTicket.lifetime).flatMapThrowing { take in
                    guard let taken = take.value else {
                        throw take.isClaimed ? Self.usedTicket : Self.unknownTicket
                    }
                    // Only the record that was admitted can sign in.
                    guard let admitted, taken == admitted.sealed else { throw Self.unknownTicket }
                    return try enter(admitted.record, request, linkingTo: asking, permission)
                }
            }
        }.flatMap { $0 }
    }

    /// Asks about the account that a redemption would make, if it would make one.
    private func permission(
        for record: SignInTicketRecord?, _ request: SignInWithIdpRequest, linkingTo asking: Asking?
    ) -> EventLoopFuture<NewAccountPermission> {
        guard let record, asking == nil, service.asksAboutNewAccounts else {
            return eventLoop.makeSucceededFuture(.free)
        }
        // It is counted first: a ticket that is not taken must not ask any number of times.
        do { try admit(record.credential.identity.key) } catch { return eventLoop.makeFailedFuture(error) }
        let mayCreate = Self.wantsAccount(record, request) && toolkit.limits.allowsNewAccount(from: broker.client)
        let question = signInRequest(PresentedCredential(pending: record.credential), mayCreate: mayCreate)
        return service.permission(for: question, on: eventLoop)
    }

    /// Whether a redemption may make an account. The SDK for JavaScript does not say itself that it re-authenticates.
    private static func wantsAccount(_ record: SignInTicketRecord, _ request: SignInWithIdpRequest) -> Bool {
        record.authType.purpose != .reauthentication && request.mayCreate
    }

    /// Refuses a redemption for something else than the login was begun for, and one of a user who signs in too often.
    private func admit(
        _ record: SignInTicketRecord, _ request: SignInWithIdpRequest, linkingTo asking: Asking?
    ) throws(ToolkitError) {
        let identity = record.credential.identity
        // The SDKs for iOS and Android say which provider they asked for.
        if let id = request.providerID {
            guard id.hasSameBytes(as: identity.providerID) else {
                throw ToolkitError(.invalidIdpResponse, "postBody and the ticket name two providers.")
            }
        }
        let isLink = asking != nil
        switch record.authType.purpose {
        case .link where !isLink:
            throw ToolkitError(.invalidIdpResponse, "The ticket was issued to link. Send the idToken of the account.")
        case .signIn where isLink, .reauthentication where isLink:
            throw ToolkitError(.invalidIdpResponse, "The ticket was not issued to link. Send no idToken.")
        case .signIn, .link, .reauthentication, .any: break
        }
        // The configuration may be another one since the login.
        guard try provider(identity.providerID).mayHaveIssued(identity.key) else { throw Self.unknownTicket }
        // It is counted later, when all else is as it must be.
        guard toolkit.limits.wouldProceed(signIn(of: identity.key)) else { throw ToolkitError(.tooManyAttempts) }
    }

    private func enter(
        _ record: SignInTicketRecord, _ request: SignInWithIdpRequest, linkingTo asking: Asking?,
        _ permission: NewAccountPermission
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        // What was asked about is counted.
        if asking != nil || !service.asksAboutNewAccounts { try admit(record.credential.identity.key) }
        var credential = PresentedCredential(pending: record.credential)
        credential.isOfTicket = true
        credential.permission = permission
        return try enter(credential, request, linkingTo: asking, wantsAccount: Self.wantsAccount(record, request))
    }

    private static var usedTicket: ToolkitError {
        ToolkitError(.invalidIdpResponse, "The ticket was used before. Sign in again.")
    }

    private static var unknownTicket: ToolkitError {
        ToolkitError(
            .invalidIdpResponse,
            "There is no such ticket for this app and this sessionId, or it has expired. Sign in again.")
    }
}
