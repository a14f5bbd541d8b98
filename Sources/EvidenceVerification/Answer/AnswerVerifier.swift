package import EntitlementModel
internal import StrictJSON

/// The origin of an unsigned answer (spec 4.0).
package enum AnswerOrigin: CaseIterable, Sendable {
    /// The engine itself has fetched it from Apple.
    case fetched
    /// An administrator submits a stored answer.
    case imported

    /// As it is kept in a ledger.
    package var kind: EvidenceKind { self == .fetched ? .receiptAnswer : .importedAnswer }

    var trust: EvidenceTrust { self == .fetched ? .appleAnswer : .imported }
}

extension EvidenceVerifier {
    /// Verifies an answer of verifyReceipt: its app, its environment and each purchase in it, as
    /// strictly as signed evidence except for the signature.
    ///
    /// - Parameter stated: the environment that an importer knows; the answers of iOS 6 say none. It is
    ///   written into the answer, and kept with it.
    package func verifyAnswer(
        _ bytes: [UInt8], _ origin: AnswerOrigin, in stated: StoreEnvironment? = nil,
        at now: Instant
    ) -> EvidenceVerdict {
        let bytes = stated.map { ReceiptAnswer.stating($0, in: bytes) } ?? bytes
        do throws(Refusal) {
            let answer = try ReceiptAnswer(bytes, limits: settings.limits)
            let (environment, bundleID) = try binding.check(answer)
            if let stated, stated != environment {
                throw Refusal(
                    .bindEnvironment,
                    .mismatch(expected: stated.rawValue, found: environment.rawValue))
            }
            let answeredAt: Instant
            if let requestedAt = answer.requestedAt {
                answeredAt = requestedAt
            } else {
                answeredAt = origin == .fetched ? now : answer.lastStatedDate ?? now
            }
            try times.check(answeredAt, now: now)
            var evidence = VerifiedEvidence(
                kind: origin.kind, digest: sha256(bytes), bytes: bytes, judgedAt: answeredAt,
                environment: environment, bundleID: bundleID)
            evidence.take(answer, origin.trust)
            return .accepted(evidence)
        } catch {
            return .refused(VerificationRefusal(error, kind: origin.kind, of: bytes))
        }
    }

    /// Verifies a recorded piece of evidence again, as what it was recorded as. Nil if it never
    /// proved anything by itself.
    ///
    /// - Parameter recordedAt: when it was recorded; an answer is judged at its own instant again.
    package func verifyAgain(
        _ record: EvidenceRecord, recordedAt: Instant
    ) -> EvidenceVerdict? {
        switch record.kind {
        case .receiptAnswer: verifyAnswer(record.bytes, .fetched, at: record.judgedAt)
        case .importedAnswer: verifyAnswer(record.bytes, .imported, at: recordedAt)
        case .unverified: nil
        case .transaction, .renewalInfo, .appTransaction, .notification, .receipt:
            verify(record.bytes, at: recordedAt)
        }
    }
}

extension VerifiedEvidence {
    /// Adds what the answer says; a part that cannot be read or cannot be is quarantined alone.
    fileprivate mutating func take(_ answer: ReceiptAnswer, _ trust: EvidenceTrust) {
        for list in answer.lists {
            let part = part(of: answer, list.form, trust)
            do throws(PayloadFault) {
                for element in try list.receipts(answer) { take(element, part) }
            } catch {
                implausible.append(QuarantinedPart(error))
            }
        }
        appPurchase = try? answer.receipt.appPurchase(in: self.part(of: answer, .inApp, trust))
        let part = part(of: answer, .latestReceiptInfo, trust)
        // Of the form of iOS 6, which has one purchase.
        let lineage = try? answer.receipt.id("original_transaction_id", as: TransactionID.self)
        do throws(PayloadFault) {
            for element in try answer.renewals {
                take(renewal: element, of: answer.isOfIOS6 ? lineage ?? nil : nil, part)
            }
        } catch {
            implausible.append(QuarantinedPart(error))
        }
    }

    /// `in_app` is as old as the receipt's creation: later cancellations need not be in it. All
    /// other parts are as of the answer's instant, and override it even if both are the same.
    private func part(
        of answer: ReceiptAnswer, _ form: EvidenceForm, _ trust: EvidenceTrust
    ) -> AnswerPart {
        AnswerPart(
            environment: environment, bundleID: answer.boundBundle, form: form, trust: trust,
            answer: answer.digest,
            statedAt: form == .latestReceiptInfo ? judgedAt : answer.createdAt,
            limit: form == .latestReceiptInfo ? judgedAt : judgedAt.advanced(byMilliseconds: -1))
    }

    private mutating func take(_ element: AnswerReader, _ part: AnswerPart) {
        do throws(PayloadFault) {
            take(try element.transaction(in: part))
        } catch {
            let id = try? element.id("transaction_id", as: TransactionID.self)
            implausible.append(
                QuarantinedPart(error, (id ?? nil).map { TransactionKey(part.environment, $0) }))
        }
    }

    private mutating func take(
        renewal element: AnswerReader, of lineage: TransactionID?, _ part: AnswerPart
    ) {
        do throws(PayloadFault) {
            take(try element.renewal(of: lineage, in: part, at: judgedAt))
        } catch {
            implausible.append(QuarantinedPart(error))
        }
    }
}

extension ReceiptAnswer {
    /// The bundle id, once `Binding` has compared it.
    fileprivate var boundBundle: BundleID {
        guard let id = bundle.flatMap({ BundleID($0) }) else {
            preconditionFailure("an answer without a bundle id is refused before it is read")
        }
        return id
    }
}
