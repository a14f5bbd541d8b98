/// YAML, and the traps in it.
extension PolicyExample {
    static let yamlExamples: [DiagnosticID: PolicyExample] = [
        .yamlSyntax: .added(
            wrong: "access: - name: everybody\n  then: grant",
            right: "access:\n  - name: everybody\n    then: grant"),
        .badIndentation: .added(
            wrong: "entitlements:\n    hd: {title: High definition}\n  uhd: {title: Ultra}",
            right: "entitlements:\n    hd: {title: High definition}\n    uhd: {title: Ultra}"),
        .unclosedQuote: .added(
            wrong: "entitlements:\n  hd: {title: \"High definition}",
            right: "entitlements:\n  hd: {title: \"High definition\"}"),
        .unclosedBracket: .added(
            wrong: "entitlements:\n  hd: {title: High definition\n  uhd: {title: Ultra}",
            right: "entitlements:\n  hd: {title: High definition}\n  uhd: {title: Ultra}"),
        .colonInText: .added(
            wrong: "entitlements:\n  hd:\n    title: Video: high definition",
            right: "entitlements:\n  hd:\n    title: \"Video: high definition\""),
        .missingColon: .added(
            wrong: "entitlements\n  hd: {title: High definition}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .missingSpace: .added(
            wrong: "orders:\n  pay_within:30m", right: "orders:\n  pay_within: 30m"),
        .mergeConflict: .added(
            wrong: "<<<<<<< HEAD\nleeway: 1h\n=======\nleeway: 2h\n>>>>>>> longer-leeway",
            right: "leeway: 2h"),
        .reservedCharacter: .added(
            wrong: "entitlements:\n  hd: {title: @home}",
            right: "entitlements:\n  hd: {title: \"@home\"}"),
        .fullWidthPunctuation: .added(
            wrong: "entitlements:\n  hd：{title： High definition}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .severalDocuments: .added(
            wrong: "leeway: 1h\n---\norders: {pay_within: 30m}",
            right: "leeway: 1h\norders: {pay_within: 30m}"),
        .yamlDirective: .added(wrong: "%YAML 1.1\n---\nleeway: 1h", right: "leeway: 1h"),
        .anchor: .added(
            wrong: "entitlements:\n  hd: &video {title: High definition}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .alias: .added(
            wrong: "access:\n  - name: no monthly plan\n    when: {product: *.monthly}\n"
                + "    then: withhold",
            right: "access:\n  - name: no monthly plan\n"
                + "    when: {product: \"*.monthly\"}\n    then: withhold"),
        .tag: .added(
            wrong: "entitlements:\n  hd: {title: !!str High definition}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .mergeKey: .added(
            wrong: "entitlements:\n  hd:\n    <<: {title: High definition}\n    title: HD",
            right: "entitlements:\n  hd:\n    title: HD"),
        .duplicateKey: .added(
            wrong: "orders:\n  pay_within: 30m\n  match_window: 24h\n  pay_within: 1h",
            right: "orders:\n  pay_within: 30m\n  match_window: 24h"),
        .keyNotText: .added(
            wrong: "entitlements:\n  [hd, uhd]: {title: High definition}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .textOverLines: .added(
            wrong: "entitlements:\n  hd:\n    title: High\n      definition",
            right: "entitlements:\n  hd:\n    title: High definition"),
        .tooDeep: .added(
            wrong: "access: " + String(repeating: "[", count: 40)
                + String(repeating: "]", count: 40), right: "access: []"),
    ]
}
