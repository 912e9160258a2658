// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// A request to sign in, to link, or to re-authenticate. Tokens always come, whatever `returnSecureToken` says.
struct SignInWithIdpRequest: Sendable {
    /// Whose credential it is.
    enum Credential: Sendable {
        /// What an earlier response handed out. It wins over everything beside it: on Apple's systems the ID token of
        /// the provider is sent again, by then without its nonce.
        case pending(String)
        /// A return to the handler page of this server, by its URL.
        case handler(AbsoluteURL)
        /// An ID token that the app obtained from the provider.
        case native(NativeToken)
    }

    /// A provider's ID token with what stands beside it. Nothing is verified.
    struct NativeToken: Sendable {
        /// The ID of the provider.
        let providerID: String
        /// The ID token, visible ASCII.
        let idToken: String
        /// The access token; `nil` if there is none or it has characters that no token has. It counts only if the
        /// ID token has its hash.
        let accessToken: String?
        /// The nonce whose hash is in the ID token; `nil` if there is none.
        let rawNonce: String?
        /// The JSON text with which Apple names a user once; `nil` if there is none.
        let user: WireText?
    }

    /// The maximum length of a nonce, in bytes.
    static let longestNonce = 255
    /// The maximum length of the ID of a provider, in bytes.
    static let longestProviderID = 128
    /// The maximum length of `requestUri` with its fragment, in bytes.
    static let longestRequestURI = 8192

    /// The credential.
    let credential: Credential
    /// The ID of the provider; `nil` if `postBody` has none, as it may beside a pending credential.
    let providerID: String?
    /// The ID token of the session to which the identity is linked; `nil` for a sign-in.
    let idToken: String?
    /// What a handler page was started with, as any text: on Android it has NUL and replacement characters.
    let sessionID: WireText?
    /// Whether the credential is wanted in a 200 where the identity is in use.
    let returnsIdpCredential: Bool
    /// Whether an account may be made. C++ on desktop says nothing, which means yes.
    let mayCreate: Bool

    /// Reads a request.
    /// - Parameters:
    ///   - body: The body.
    ///   - isHandler: Returns whether a URL is that of the handler page of this server.
    init(_ body: ToolkitBody, isHandler: (AbsoluteURL) -> Bool) throws(ToolkitError) {
        try body.refuseTenant()
        let requestURI = try Self.requestURI(body)
        let postBody = try PostBody(try body.text(.postBody) ?? "")
        idToken = try body.sessionToken()
        sessionID = try body.text(.sessionId)
        returnsIdpCredential = try body.flag(.returnIdpCredential) ?? false
        mayCreate = try body.flag(.autoCreate) ?? true
        let providerID = try Self.providerID(postBody)
        self.providerID = providerID
        if let token = try Self.pendingToken(body, postBody) {
            credential = .pending(token)
        } else if isHandler(requestURI) {
            credential = .handler(requestURI)
        } else {
            credential = .native(try Self.nativeToken(postBody, providerID))
        }
    }

    // MARK: Parts

    private static func requestURI(_ body: ToolkitBody) throws(ToolkitError) -> AbsoluteURL {
        guard let received = try body.text(.requestUri) else { throw ToolkitError(.missingRequestURI) }
        // An app in a browser may send the URL of its page, whose fragment is private.
        guard let text = received.visibleASCII(atMost: longestRequestURI),
            let url = AbsoluteURL(String(Substring(text.utf8.prefix(while: { $0 != UInt8(ascii: "#") }))))
        else { throw ToolkitError(.invalidRequestURI, "requestUri must be an http or https URL.") }
        return url
    }

    private static func providerID(_ postBody: PostBody) throws(ToolkitError) -> String? {
        guard let text = postBody[.providerID] else { return nil }
        guard let id = text.visibleASCII(atMost: longestProviderID) else { throw ToolkitError(.invalidProviderID) }
        return id
    }

    private static func pendingToken(_ body: ToolkitBody, _ postBody: PostBody) throws(ToolkitError) -> String? {
        let member = try body.text(.pendingToken)
        let value = postBody[.pendingToken]
        guard let text = member ?? value else { return nil }
        guard member == nil || value == nil || member == value,
            let token = text.visibleASCII(atMost: ToolkitBody.maximumBytes)
        else { throw ToolkitError(.invalidPendingToken) }
        return token
    }

    private static func nativeToken(
        _ postBody: PostBody, _ providerID: String?
    ) throws(ToolkitError) -> NativeToken {
        guard let idToken = postBody[.idToken] else {
            guard postBody[.accessToken] == nil, postBody[.code] == nil, postBody[.oauthTokenSecret] == nil else {
                throw ToolkitError(
                    .operationNotAllowed, "Only an ID token of a provider signs in. Send id_token in postBody.")
            }
            throw ToolkitError(.invalidCredentialOrProviderID, "Send id_token and providerId in postBody.")
        }
        guard let providerID else {
            throw ToolkitError(.invalidCredentialOrProviderID, "Send providerId in postBody.")
        }
        guard let token = idToken.visibleASCII(atMost: JSONWebSignature.longestToken) else {
            throw ToolkitError(.invalidIdpResponse, "id_token in postBody is not an ID token.")
        }
        let nonce = postBody[.nonce]
        let rawNonce = nonce?.printableASCII(atMost: longestNonce)
        guard (nonce == nil) == (rawNonce == nil) else {
            throw ToolkitError(
                .missingOrInvalidNonce, "nonce in postBody has at most \(longestNonce) characters of printable ASCII.")
        }
        return NativeToken(
            providerID: providerID, idToken: token,
            accessToken: postBody[.accessToken]?.visibleASCII(atMost: JSONWebSignature.longestToken),
            rawNonce: rawNonce, user: postBody[.user])
    }
}
