package import EntitlementModel

/// What was done, as JSON.
extension AnswerWriter {
    /// `POST /v1/claims/{claim}/ruling`.
    package mutating func append(_ record: RulingRecord) {
        let ruling = record.ruling.value
        object { writer in
            writer.member("sequence", record.ruling.sequence.number)
            writer.member("recorded_at", record.ruling.recordedAt)
            writer.member("verb", ruling.verb.rawValue)
            writer.members(of: ruling.unit)
            writer.memberIfAny("account", ruling.account?.text)
            writer.member("actor", ruling.actor)
            writer.member("reason", ruling.reason)
            writer.member("decisions", list: record.decisions) { writer, decision in
                writer.object { $0.appendMembers(of: decision) }
            }
        }
    }

    /// `POST /v1/account-tokens`.
    package mutating func append(_ registration: Recorded<AccountTokenRegistration>) {
        object { writer in
            writer.member("sequence", registration.sequence.number)
            writer.member("recorded_at", registration.recordedAt)
            writer.member("token", registration.value.token.text)
            writer.member("account", registration.value.account.text)
            writer.member("actor", registration.value.actor)
            writer.member("reason", registration.value.reason)
        }
    }

    /// `POST /v1/merges` and `DELETE /v1/merges/{merge}`.
    package mutating func append(_ merge: Recorded<AccountMerge>) {
        object { writer in
            writer.member("merge", merge.sequence.number)
            writer.member("recorded_at", merge.recordedAt)
            writer.member("from", merge.value.from.text)
            writer.member("into", merge.value.into.text)
            if let undone = merge.value.undoes { writer.member("undoes", undone.number) }
            writer.member("actor", merge.value.actor)
            writer.member("reason", merge.value.reason)
        }
    }
}
