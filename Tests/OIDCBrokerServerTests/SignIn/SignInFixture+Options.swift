// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import Logging
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty

extension SignInFixture {
    /// What a test is about.
    struct Options: Sendable {
        /// The provider's host. A test that replaces the provider uses an address of its own, so that no other test
        /// takes its port in between.
        var providerHost = "127.0.0.1"
        /// Whether the broker reaches the provider at another address than browsers.
        var hasInnerName = false
        var signingAlgorithm = OpenIDProvider.SigningAlgorithm.es256
        var interaction = OpenIDProvider.Interaction.automatic(0)
        var responseType = ResponseType.code
        var responseMode = ResponseMode.query
        var misbehavior = Misbehavior.none
        var userInfo = false
        /// The client authentication of the broker; `nil` if it follows from the metadata.
        var clientAuthentication: ClientAuthenticationMethod?
        var clientSecret: String? = SignInFixture.clientSecret
        /// The algorithm of client assertions by `private_key_jwt`, and of signed requests.
        var clientSigningAlgorithm = JSONWebAlgorithm.es256
        /// What access tokens are bound to; `nil` for nothing but the certificate that the client authenticates by.
        var tokenBinding: OpenIDProvider.Client.TokenBinding?
        /// Whether the broker uses DPoP and shows its certificate as the tokens' binding needs it.
        var bindsTokens = true
        /// The nonce that the provider asks for in DPoP proofs; `nil` for none.
        var dpopNonce: String?
        /// The profile that the broker follows.
        var securityProfile: SecurityProfile?
        /// Whether the provider insists on pushed authorization requests.
        var requiresPushedAuthorization = false
        /// Whether the broker pushes authorization requests although that is not required.
        var pushedAuthorization = false
        /// Whether the provider insists on signed requests.
        var signsRequests = false
        /// Whether ID tokens are signed by HS256 with the client secret, both sides being told so.
        var hasSymmetricIDTokens = false
        /// How ID tokens are encrypted for the broker.
        var encryption: Encryption?
        /// Whether UserInfo is signed.
        var signsUserInfo = false
        var publishesDecoyKeys = false
        /// Whether the provider has an end session endpoint. Then the first app has a URI for the end of a logout.
        var endsSessions = false
        var requiredACRValues: [String] = []
        /// Whether the provider takes its RSA keys from those that all share.
        var sharesKeys = false
        var version = HTTPClient.Configuration.HTTPVersion.automatic
        /// What the broker's requests to the provider go by.
        var transportKind = ServerConfiguration.defaultProviderTransport
        /// Whether the broker has an RSA key as well, so that it signs with RS256.
        var brokerHasRSAKey = false
        /// The APIs for which every app may get access tokens.
        var resources: [BrokerConfiguration.Resource] = []
        var limits = ListenerLimits()
        var logger = Logger.quiet
    }

    /// The two algorithms of an encrypted ID token.
    struct Encryption: Sendable, Hashable {
        /// `RSA-OAEP-256` or `ECDH-ES`.
        let keyManagement: String
        /// `A128GCM` or `A256GCM`.
        let contentEncryption: String
    }
}

extension SignInFixture.Options {
    private var usesMutualTLS: Bool {
        authenticatesByCertificate || tokenBinding == .certificate
    }

    private var authenticatesByCertificate: Bool {
        clientAuthentication == .tlsClientAuth || clientAuthentication == .selfSignedTLSClientAuth
    }

    /// The provider, and what it knows of the broker.
    func providerConfiguration(clock: TestClock) throws -> OpenIDProvider.Configuration {
        var configuration = OpenIDProvider.Configuration(
            clients: [try client()], certificate: try TestCertificate.shared(), interaction: interaction,
            misbehavior: misbehavior)
        configuration.host = providerHost
        configuration.hasInnerName = hasInnerName
        configuration.signingAlgorithm = signingAlgorithm
        configuration.clock = clock
        if let clientAuthentication { configuration.announcedClientAuthentication = [clientAuthentication.name] }
        configuration.requiresPushedAuthorization = requiresPushedAuthorization
        configuration.requiresSignedRequestObject = signsRequests
        configuration.offersMutualTLS = usesMutualTLS
        configuration.publishesDecoyKeys = publishesDecoyKeys
        configuration.sharesKeys = sharesKeys
        configuration.endsSessions = endsSessions
        return configuration
    }

    private func client() throws -> OpenIDProvider.Client {
        var client = OpenIDProvider.Client(id: SignInFixture.clientID, secret: clientSecret)
        client.authentication = clientAuthentication
        client.responseTypes = [responseType]
        client.usesSymmetricIDTokens = hasSymmetricIDTokens
        client.signsUserInfo = signsUserInfo
        client.tokenBinding = tokenBinding
        if clientAuthentication == .privateKeyJWT || signsRequests {
            client.keySet = try ClientProofs.keySet(clientSigningAlgorithm)
        }
        if authenticatesByCertificate { client.certificatePEM = try ClientProofs.certificate().certificatePEM }
        if let encryption {
            let key = try DecryptionKey(pem: ClientProofs.decryptionKeyPEM(encryption.keyManagement))
            client.idTokenEncryption = OpenIDProvider.Client.Encryption(
                key: String(decoding: key.publicJWK.serialized(), as: UTF8.self),
                keyManagement: encryption.keyManagement, contentEncryption: encryption.contentEncryption)
        }
        return client
    }

    /// The broker, and what it knows of the provider.
    func serverOptions(_ provider: OpenIDProvider, _ clock: TestClock) throws -> RunningServer.Options {
        var known = try brokerProvider(issuer: provider.issuer)
        if let origin = provider.innerOrigin {
            known.configuration.metadataURL = origin + "/.well-known/openid-configuration"
            known.configuration.metadataNetwork = .trustedWithSecret
        }
        let acme = known
        var server = RunningServer.Options()
        server.limits = limits
        server.transportKind = transportKind
        server.clock = clock
        server.logger = logger
        let rsaKeys = brokerHasRSAKey ? [Secret(try SharedRSAKeys.pem(1))] : []
        let resourceKeys = resources.isEmpty ? [] : [Secret(try SigningKey.generatePEM(.es256))]
        server.configuration = { [resources] publicURL in
            var configuration = BrokerConfiguration.test(
                publicURL: publicURL, provider: acme, apps: AppClient.all.map(\.configuration))
            configuration.signingKeys += rsaKeys
            if endsSessions { configuration.apps[0].postLogoutRedirectURIs = [AppClient.afterLogout] }
            configuration.resources = resources
            configuration.resourceSigningKeys = resourceKeys
            for index in configuration.apps.indices { configuration.apps[index].resources = resources.map(\.name) }
            return configuration
        }
        return server
    }

    private func brokerProvider(issuer: String) throws -> BrokerConfiguration.Provider {
        var provider = BrokerConfiguration.Provider(
            name: "acme", issuer: issuer, clientID: SignInFixture.clientID,
            clientSecret: clientSecret.map { Secret($0) })
        provider.configuration = try client(provider.configuration)
        return provider
    }

    private func client(_ known: ProviderConfiguration) throws -> ProviderConfiguration {
        var client = known
        client.clientAuthentication = clientAuthentication
        client.certificateAuthorities = Array(try TestCertificate.shared().certificatePEM.utf8)
        client.responseType = responseType
        client.responseMode = responseMode
        client.userInfo = userInfo
        client.scopes = ["openid", "email", "profile"]
        if clientAuthentication == .privateKeyJWT || signsRequests {
            client.clientSigningKey = Secret(try ClientProofs.signingKeyPEM(clientSigningAlgorithm))
            client.clientSigningAlgorithm = clientSigningAlgorithm.rawValue
        }
        client.securityProfile = securityProfile
        // The profile turns it on by itself where there is no certificate.
        let isByItself = securityProfile == .fapi2 && !authenticatesByCertificate
        if bindsTokens, tokenBinding == .dpop, !isByItself { client.dpop = .on }
        if authenticatesByCertificate || (bindsTokens && tokenBinding == .certificate) {
            let certificate = try ClientProofs.certificate()
            client.clientCertificate = ClientCertificate(
                certificateChain: Array(certificate.certificatePEM.utf8), privateKey: Secret(certificate.privateKeyPEM))
        }
        if hasSymmetricIDTokens { client.idTokenAlgorithms = [JSONWebAlgorithm.hs256.rawValue] }
        if let encryption {
            client.decryptionKeys = [Secret(try ClientProofs.decryptionKeyPEM(encryption.keyManagement))]
        }
        client.pushedAuthorization = pushedAuthorization
        client.requiredACRValues = requiredACRValues
        return client
    }

    /// The same provider for a relying party without the broker.
    func relyingPartyConfiguration(issuer: String, redirectURI: String) throws -> ProviderConfiguration {
        let known = try brokerProvider(issuer: issuer).configuration
        var configuration = ProviderConfiguration(
            issuer: issuer, clientID: known.clientID, clientSecret: known.clientSecret, redirectURI: redirectURI)
        configuration.scopes = known.scopes + ["offline_access"]
        configuration.clientAuthentication = known.clientAuthentication
        configuration.certificateAuthorities = known.certificateAuthorities
        configuration.clientCertificate = known.clientCertificate
        configuration.pushedAuthorization = known.pushedAuthorization
        configuration.dpop = known.dpop
        return configuration
    }
}
