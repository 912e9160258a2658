// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore

/// The pipelines of the standalone server. An embedding server uses ``HTTP1Parts`` or ``HTTPTypesParts``.
package protocol ServerParts: HTTPPartAdapter where ResponsePart == ServerResponsePart {}

extension ServerParts {
    package static func neutral(_ part: ServerResponsePart) -> NeutralResponsePart {
        switch part {
        case .head(let head):
            NeutralResponsePart(status: head.status.code, announcesClose: head.headerFields[.connection] == "close")
        case .body: .body
        case .end, .whole: .end
        }
    }

    package static func head(_ response: HTTPResponse) -> ServerResponsePart {
        .head(response)
    }

    package static func body(_ bytes: ByteBuffer) -> ServerResponsePart {
        .body(bytes)
    }

    package static func end() -> ServerResponsePart {
        .end
    }

    package static func whole(_ response: HTTPResponse, body: ByteBuffer?) -> ServerResponsePart? {
        .whole(response, body: body)
    }
}
