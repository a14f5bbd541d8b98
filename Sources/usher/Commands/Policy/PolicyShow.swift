internal import ArgumentParser
internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyLoading
internal import StrictJSON

/// `usher policy show`: the effective policy, built-in rules included (spec 2.5).
struct PolicyShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show which rules decide for each kind of product in each state, and on refunds.",
        discussion: "Example: usher policy show policies --html > policy.html")

    @Argument(help: "The policy folder.", completion: .directory)
    var folder = "policies"

    @Flag(help: "Print one self-contained HTML page.")
    var html = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let checked = CheckedFolder(folder)
        guard let policy = checked.policy else {
            tell(checked)
            throw checked.isReadable ? ExitCode.no : ExitCode.unanswered
        }
        let table = policyTable(
            policy, builtIns: builtInAccessRules, refundBuiltIn: builtInRefundRule)
        try output.attempt { () throws(CommandFailure) in
            if output.json {
                try Terminal.current.printWhole(json: table.json.text + "\n")
            } else {
                try Terminal.current.printWhole(text(of: table))
            }
        }
    }

    private func text(of table: PolicyTable) -> String {
        let language = output.language
        return html
            ? table.page(in: language)
            : table.text(in: language, usesColour: Terminal.current.isColoured)
    }

    /// Why there is no table: for programs in its place, for people next to it, so that a page
    /// that is written to a file is a page or nothing.
    private func tell(_ checked: CheckedFolder) {
        let options = RenderOptions(
            format: output.json ? .json : .text, language: output.language,
            folder: folder)
        let rendered = render(checked.diagnostics, sources: checked.texts, as: options)
        if output.json {
            Terminal.current.printText(rendered.safeJSON)
        } else {
            Terminal.current.printErrorText(rendered)
        }
    }
}

extension PolicyTable {
    /// Stable, for scripts: a cell for each kind and state, with the rules in their order.
    fileprivate var json: JSONValue {
        let cells = cells.map { cell -> JSONValue in
            [
                "kind": .string(cell.kind.rawValue), "state": .string(cell.state.rawValue),
                "verdict": .string(cell.verdict.rawValue),
                "rules": .array(cell.rules.map(\.json)),
            ]
        }
        return [
            "policy": .string(digest.hexadecimal), "cells": .array(cells),
            "refund_answers": .array(refundAnswers.map(\.json)),
        ]
    }
}

extension PolicyTable.RefundRow {
    fileprivate var json: JSONValue {
        .object(known: [
            ("name", .string(reference.name)), ("file", .string(reference.file)),
            ("line", .integer(Int64(reference.line))), ("then", .string(answer.rawValue)),
            ("when", .array(conditions.map { .string($0) })),
            ("unless", .array(exceptions.map { .string($0) })),
        ])
    }
}

extension PolicyTable.CellRule {
    fileprivate var json: JSONValue {
        .object(known: [
            ("name", .string(reference.name)), ("file", .string(reference.file)),
            ("line", .integer(Int64(reference.line))), ("effect", .string(effect.rawValue)),
            ("when", .array(conditions.map { .string($0) })),
            ("unless", .array(exceptions.map { .string($0) })),
            ("only", only.map { .array($0.map { .string($0.text) }) }),
        ])
    }
}

/// `usher policy schema`.
struct PolicySchema: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of policy files, for editors.",
        discussion: "Example: usher policy schema > policies/schema.json")

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.attempt { () throws(CommandFailure) in
            try Terminal.current.printWhole(policySchema(in: output.language))
        }
    }
}
