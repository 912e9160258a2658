// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import JOSE
    import NIOCore
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerConfiguration
    import OIDCBrokerServer
    import OpenIDConnect
    import OpenIDRelyingParty

    /// The command `oidc-broker explain`, which makes every check of an ID token and says what each wants and found.
    struct ExplainCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Explain why an ID token on standard input is accepted or refused.",
            discussion: """
                Prints the header, the claims and every check of a sign-in, with the expected and the found value. The \
                claims are personal data. A check that compares the token with a value of the sign-in is skipped unless \
                an option gives that value. A token that this server issued, to an app or for an account, is verified \
                with the server's own keys.
                Exit status 0: every check that could be made passed. 1: a check failed. 64: invalid arguments. 69: the \
                provider cannot be reached. 78: invalid configuration.

                With --keys nothing is fetched, unless the provider has tenants, whose issuers are only in its metadata. \
                Every public-key algorithm then counts as announced by the provider.

                Example: oidc-broker explain --provider acme --config broker.yaml < token.txt
                """)

        @OptionGroup var arguments: ConfigurationArguments

        @Option(help: "The name of the provider. Not needed if there is only one, or if the token names its issuer.")
        var provider: String?

        @Option(
            help: ArgumentHelp(
                "A file with the provider's keys (a JWK set), used instead of the published ones.", valueName: "file"),
            completion: .file())
        var keys: String?

        @Option(help: "The raw nonce of the sign-in. Without it the nonce is not checked.")
        var nonce: String?

        @Option(
            help: ArgumentHelp(
                "The code of the sign-in. Without it c_hash is not checked. With response-type 'code id_token', the token "
                    + "must be the one that came with the code, and have c_hash.",
                valueName: "code"))
        var code: String?

        @Option(
            help: ArgumentHelp(
                "The access token that came with this token from the token endpoint. Without it at_hash is not checked. "
                    + "A token of an authorization response has none beside it, and its at_hash is ignored.",
                valueName: "token"))
        var accessToken: String?

        @Option(
            help: ArgumentHelp(
                "The max_age that was sent. Without it auth_time is not checked.", valueName: "seconds"))
        var maxAge: Int64?

        @Option(
            help: ArgumentHelp(
                "Check the token as of this time: seconds since 1970, or 2026-01-31T12:00:00Z.",
                valueName: "time"))
        var at: String?

        /// The bounds of `max_age`, which are those of the authorization endpoint.
        private static let maximumAges: ClosedRange<Int64> = 0...(1 << 40)

        func validate() throws {
            if let maxAge, !Self.maximumAges.contains(maxAge) {
                throw ValidationError("--max-age expects a number of seconds.")
            }
            if let at, ExplainedTime.seconds(at) == nil {
                throw ValidationError("--at expects seconds since 1970, or a time such as 2026-01-31T12:00:00Z.")
            }
        }

        func run() async throws {
            let configuration = try await arguments.load()
            let token = try Self.readToken()
            if self.provider == nil, let own = OwnToken(token, of: configuration) {
                let (text, holds) = own.explain(
                    token, now: at.flatMap(ExplainedTime.seconds) ?? SystemUnixClock().now())
                print(text)
                guard holds else { throw ExitCode(1) }
                return
            }
            guard
                let provider = ExplainedProvider.choose(
                    self.provider, for: token, among: configuration.broker.providers)
            else {
                throw ValidationError(
                    "--provider expects one of: \(configuration.broker.providers.map(\.name).joined(separator: ", "))")
            }
            let file = try keys.map(Self.readKeys)
            let client = configuration.broker.relyingPartyConfiguration(of: provider)
            let group = MultiThreadedEventLoopGroup.singleton
            let (nonce, accessToken, code, maxAge) = (self.nonce, self.accessToken, self.code, self.maxAge)
            let time = at.flatMap(ExplainedTime.seconds)
            let explanation: IDTokenExplanation = try await configuration.server.providerTransport.withTransport(
                on: group
            ) { transport in
                let party = RelyingParty(configuration: client, transport: transport)
                let (metadata, keys) = try await Self.documents(of: party, file, on: group.any())
                return party.explain(
                    idToken: token, keys: keys, metadata: metadata, nonce: nonce, accessToken: accessToken, code: code,
                    maximumAge: maxAge, now: time)
            }
            let source = keys == nil ? "those that the provider publishes" : "those of the file"
            print(
                ExplanationText.text(
                    explanation,
                    preamble: ["provider: \(provider.name), issuer \(client.issuer)", "keys: \(source)"]))
            if !explanation.holds { throw ExitCode(1) }
        }

        /// Reads the token. White space around it is not a part of it.
        private static func readToken() throws -> String {
            let longest = JSONWebSignature.longestToken
            // As much again for white space would be too much, so a few bytes must do.
            let standardInput: CInt = 0
            guard let bytes = ConfigurationFile.read(from: standardInput), bytes.count <= longest + 16 else {
                throw ValidationError("Standard input must have an ID token of at most 64 KB.")
            }
            let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
            var text = bytes[...].drop(while: isSpace)
            while let last = text.last, isSpace(last) { text.removeLast() }
            guard !text.isEmpty, text.count <= longest else {
                throw ValidationError("Standard input must have an ID token of at most 64 KB.")
            }
            return String(decoding: text, as: UTF8.self)
        }

        private static func readKeys(_ path: String) throws -> KeySet {
            let bytes: [UInt8]
            do {
                bytes = try ConfigurationFile.read(atPath: path)
            } catch {
                throw ValidationError(
                    "--keys expects a file that can be read; \(ConfigurationFileError.shown(path)): \(error)")
            }
            do {
                return try KeySet(json: bytes)
            } catch {
                throw ValidationError("--keys expects a JWK set: \(error)")
            }
        }

        /// The provider's metadata and keys. Nothing is fetched if the keys are given, unless the provider has tenants.
        private static func documents(
            of party: RelyingParty, _ file: KeySet?, on eventLoop: any EventLoop
        ) async throws -> (ProviderMetadata, KeySet) {
            do {
                if let file, party.configuration.tenants.isEmpty { return (try party.assumedMetadata(), file) }
                let metadata = try await eventLoop.flatSubmit {
                    party.metadata(on: eventLoop).future(on: eventLoop)
                }.get()
                if let file { return (metadata, file) }
                let keys = try await eventLoop.flatSubmit { party.publishedKeys(metadata, on: eventLoop) }.get()
                return (metadata, keys)
            } catch {
                StandardError.write("oidc-broker: \(error)")
                let isTemporary = (error as? RelyingPartyError)?.isTemporary ?? false
                throw ExitCode(isTemporary ? LiveReport.unavailable : 78)
            }
        }
    }
#endif
