internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading

/// `usher policy check --fix`.
struct PolicyRepairing {
    let folder: String
    let isWritten: Bool
    let options: RenderOptions

    /// Shows the repairs and makes them if asked to. Throws the exit code of the folder as it is
    /// then on the disk.
    func run(strict: Bool) throws {
        let contents: PolicyFolderContents
        do throws(PolicyFolderError) {
            contents = try readPolicyFolderContents(folder)
        } catch {
            Terminal.current.printText(render(error.diagnostics, sources: [], as: options))
            throw ExitCode.unanswered
        }
        let plan = planRepairs(contents.texts) { check($0, contents.ignored) }
        if isWritten { try write(plan) }
        let rendered = render(plan, isWritten: isWritten, as: options)
        Terminal.current.printText(options.format == .json ? rendered.safeJSON : rendered)
        let report = isWritten ? plan.report : check(contents.texts, contents.ignored)
        let isWarned = report.diagnostics.contains { $0.severity == .warning }
        if report.policy == nil || (strict && isWarned) { throw ExitCode.no }
    }

    private func check(_ texts: [PolicyText], _ ignored: [String]) -> PolicyReport {
        var options = PolicyCheckOptions()
        options.ignored = ignored
        options.now = SystemClock().now()
        return loadNewPolicy(texts, options)
    }

    private func write(_ plan: RepairPlan) throws {
        do throws(PolicyWriteError) {
            try writePolicyFolder(folder, from: plan.before, to: plan.after)
        } catch {
            let (phrase, path): (RepairFailurePhrase, String) =
                switch error {
                case .readOnly(let path): (.readOnly, path)
                case .changedMeanwhile(let path): (.changedMeanwhile, path)
                case .unwritable(let path): (.unwritable, path)
                }
            Terminal.current.printError(phrase.text(options.language, path.shown))
            throw ExitCode.unanswered
        }
    }
}
