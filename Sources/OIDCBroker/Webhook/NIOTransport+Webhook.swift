// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDRelyingParty

extension NIOTransport: WebhookTransport {
    public func send(_ request: WebhookRequest, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        post(
            request.body, to: request.url, fields: request.fields, deadline: request.deadline, on: eventLoop)
    }
}
