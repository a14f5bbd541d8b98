#if PostgreSQL
    internal import LibPQ

    /// The hosts that an address names.
    ///
    /// libpq tries them one after the other, and waits for one that is silent as long as it is let.
    /// A machine that is lost is silent; so each host is tried by itself, for its part of the time.
    struct DatabaseHosts {
        /// What is added to the address to reach each of them; nothing where there is only one.
        let choices: [[(name: String, value: String)]]

        /// - Parameter connection: one that was begun with the address, whatever became of it: it
        ///   knows what the environment and the service file say too.
        init(of connection: OpaquePointer) {
            let said = Self.options(of: connection)
            func list(_ name: String) -> [String] {
                let value = said[name] ?? ""
                if value.isEmpty { return [] }
                return value.split(separator: ",", omittingEmptySubsequences: false)
                    .map(String.init)
            }
            let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
            let count = max(hosts.count, addresses.count)
            guard count > 1 else {
                choices = [[]]
                return
            }
            func item(_ list: [String], _ index: Int) -> String {
                list.indices.contains(index) ? list[index] : list.count == 1 ? list[0] : ""
            }
            choices = (0..<count).map { index in
                [
                    ("host", item(hosts, index)), ("hostaddr", item(addresses, index)),
                    ("port", item(ports, index)),
                ]
            }
        }

        private static func options(of connection: OpaquePointer) -> [String: String] {
            guard let list = PQconninfo(connection) else { return [:] }
            defer { PQconninfoFree(list) }
            var (options, next) = ([:] as [String: String], list)
            while let name = next.pointee.keyword {
                if let value = next.pointee.val {
                    options[String(cString: name)] = String(cString: value)
                }
                next += 1
            }
            return options
        }
    }
#endif
