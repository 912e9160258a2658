// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// An authorization response read for the response type of one relying party, which alone creates it; nothing of it is
/// validated yet. See ``RelyingParty/read(_:)``.
package struct ReceivedAuthorizationResponse: Sendable {
    let contents: AuthorizationResponse.Contents
    let issuer: WireText?
    let state: WireText
}
