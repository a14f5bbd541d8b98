internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
internal import Yams

/// `usher console`: the pages of support and product managers, for the user who starts it, or
/// behind a proxy for a team (docs/CONSOLE.md).
struct Console: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Serve the console: pages to see, understand and act in a browser.",
        discussion: """
            Asks the running service as you, listens on 127.0.0.1, and prints a link with a code that \
            can be used once, within a minute. With --behind-proxy it listens on a socket for a proxy \
            that names who asks; their roles stand in the file of --roles.

            Example: usher console --port 8480
            """)

    @Option(help: "The port on 127.0.0.1; any that is free if omitted.")
    var port = 0

    @Option(
        help: .value("socket", "Listen on this socket, for a proxy that names who asks."),
        completion: .file())
    var behindProxy: String?

    @Option(
        help: .value("file", "A YAML file with the role of each name that the proxy may say."),
        completion: .file())
    var roles: String?

    @Option(help: .value("name", "A host that the proxy is asked as; may be repeated."))
    var host: [String] = []

    @Option(help: .value("name", "The header field in which the proxy says who asks."))
    var nameHeader = "X-Forwarded-User"

    @Option(
        help: .value("folder", "The folder with the policy folders that can be scheduled."),
        completion: .directory)
    var policies: String?

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try require(port, in: 0...65_535, of: "--port")
        let isTeam = behindProxy != nil
        try require(isTeam == (roles != nil), or: .together, "--behind-proxy", "--roles")
        try require(isTeam == !host.isEmpty, or: .together, "--behind-proxy", "--host")
    }

    func run() async throws {
        try await output.attempt { () async throws(CommandFailure) in
            let proxy = try roles.map { path throws(CommandFailure) in
                ConsoleAccess.Proxy(
                    nameField: nameHeader.lowercased(), roles: try ConsoleRoles.read(path))
            }
            try await serve(proxy)
        }
    }

    private func serve(_ proxy: ConsoleAccess.Proxy?) async throws(CommandFailure) {
        let clock = SystemClock()
        let place: ConsoleListener.Place = behindProxy.map { .socket($0) } ?? .port(port)
        let access = ConsoleAccess(
            proxy: proxy, now: { clock.now() }, random: ConsoleSecret.make)
        let site = ConsoleSite(
            access: access, sockets: sockets.folder, policies: policies, isTeam: proxy != nil,
            random: ConsoleSecret.make,
            now: { clock.now() })
        do {
            let channel = try await ConsoleListener.listen(
                at: place, standing: { site.standing($0) }, { site.answer($0) })
            let port = channel.localAddress?.port ?? 0
            access.open(
                as: proxy == nil
                    ? ["127.0.0.1:\(port)", "localhost:\(port)"] : host.map { $0.lowercased() })
            let language = output.language
            if let behindProxy {
                // The proxy is of the group that the socket has.
                chmod(behindProxy, 0o660)
                Terminal.current.printLine(
                    ConsolePhrase.serving.text(language, behindProxy.shown))
            } else {
                let link = "http://127.0.0.1:\(port)/enter?code=\(access.makeCode())"
                Terminal.current.printLine(ConsolePhrase.open.text(language, link))
            }
            try await channel.closeFuture.get()
        } catch {
            let name = behindProxy ?? "127.0.0.1:\(port)"
            throw .said(ConsolePhrase.cannotListen.text(output.language, name.shown))
        }
    }
}

/// A secret of 128 bits, in hexadecimal digits.
enum ConsoleSecret {
    @Sendable static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in generator.next().hexadecimal(width: 16) }.joined()
    }
}

/// The roles of the people whom a proxy names: `mei@example.com: admin`, a line each.
enum ConsoleRoles {
    static func read(_ path: String) throws(CommandFailure) -> [String: PeerRole] {
        guard let bytes = try? InputFile.read(path, limit: 1 << 20),
            let text = String(validating: bytes, as: UTF8.self),
            let node = try? Yams.compose(yaml: text), let mapping = node.mapping
        else { throw .unreadableFile(path) }
        var roles: [String: PeerRole] = [:]
        for (key, value) in mapping {
            let name = key.string ?? ""
            guard CallerNames.isName(name), let role = PeerRole(rawValue: value.string ?? "") else {
                var problem = SettingProblem(.value, SettingPhrase.consoleRole, name)
                problem.place = "\(path):\(key.mark?.line ?? 1)"
                throw .settings(problem)
            }
            roles[name] = role
        }
        return roles
    }
}
