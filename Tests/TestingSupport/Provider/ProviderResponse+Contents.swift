// SPDX-License-Identifier: Apache-2.0

package import JOSE
import NIOCore
package import OpenIDRelyingParty

extension ProviderResponse {
    /// A response of JSON.
    package static func json(_ object: JSONObject, status: Int = 200) -> ProviderResponse {
        ProviderResponse(
            status: status, contentType: "application/json", body: ByteBuffer(bytes: object.serialized()))
    }

    /// A response without a body.
    package static func empty(status: Int) -> ProviderResponse {
        ProviderResponse(status: status, contentType: nil, body: ByteBuffer())
    }
}

extension Result where Success == ProviderResponse, Failure == ProviderTransportError {
    /// A response of JSON.
    package static func json(_ object: JSONObject, status: Int = 200) -> Self {
        .success(.json(object, status: status))
    }
}
