import Basics
import Planning

/// What follows when a step or a job has ended: a retry, the next jobs, or what must be left.
extension Scheduler {
    mutating func finish(
        _ number: Int, _ artifact: ArtifactReference?, at now: Timestamp, _ actions: inout [ScheduleAction]
    ) {
        for member in [number] + (followers[number] ?? []) where !entries[member].progress.isFinal {
            end(member, .done(artifact), &actions)
            release(dependents[member], at: now)
        }
    }

    mutating func end(_ number: Int, _ progress: JobProgress, _ actions: inout [ScheduleAction]) {
        update(number) { entry in
            entry.step = .idle
            entry.progress = progress
        }
        record(number, &actions)
    }

    mutating func release(_ waiting: [Int], at now: Timestamp) {
        for number in waiting {
            entries[number].openDependencies -= 1
            if entries[number].openDependencies == 0 { queue(number, at: now) }
        }
    }

    mutating func fail(_ number: Int, _ failure: Failure, at now: Timestamp, _ actions: inout [ScheduleAction]) {
        let step = entries[number].step
        switch failure.kind {
        case .cancelled: update(number) { $0.step = .idle }
        case .storage:
            update(number) { $0.step = .idle }
            isStopping = true
        // A poll or a download that failed says nothing about the server's job, which goes on: only the step is repeated.
        case .transient where step == .polling || step == .fetching:
            update(number) { $0.troubles += 1 }
            let allowed = policy.attempts * (step == .polling ? 2 : 1)
            guard entries[number].troubles < allowed else { return giveUp(number, failure, at: now, &actions) }
            // While it was fetched the deadline was not looked at.
            if let deadline = entries[number].deadline { deadlines.add(number, at: deadline) }
            wait(number, entries[number].troubles - 1, failure, at: now, &actions)
        case .transient where step == .submitting: miss(number, failure, at: now, &actions)
        case .transient, .verification, .serverJob: tryAgain(number, failure, at: now, &actions)
        default: giveUp(number, failure, at: now, &actions)
        }
    }

    /// A submission met trouble: the job's, or its service's.
    private mutating func miss(_ number: Int, _ failure: Failure, at now: Timestamp, _ actions: inout [ScheduleAction]) {
        guard let service = entries[number].service else { return tryAgain(number, failure, at: now, &actions) }
        health.missed(
            service, asked: failure.askedPause, draw: draw(), isLastUnderWay: load.submitting[service] <= 1, at: now, policy)
        tryAgain(number, failure, at: now, &actions)
        guard health.isLost(service, policy) else { return }
        for other in entries.indices where entries[other].service == service && entries[other].progress == .planned {
            giveUp(other, failure, at: now, &actions)
        }
    }

    /// From the start, with a new server job.
    mutating func tryAgain(_ number: Int, _ failure: Failure, at now: Timestamp, _ actions: inout [ScheduleAction]) {
        // What a server made wrong twice it will make wrong again; only the network deserves all attempts.
        let allowed = failure.kind == .transient ? policy.attempts : min(2, policy.attempts)
        guard entries[number].attempt < allowed else { return giveUp(number, failure, at: now, &actions) }
        update(number) { entry in
            entry.progress = .planned
            entry.said = nil
            entry.deadline = nil
            entry.troubles = 0
        }
        record(number, &actions)
        wait(number, entries[number].attempt - 1, failure, at: now, &actions)
    }

    private mutating func wait(
        _ number: Int, _ count: Int, _ failure: Failure, at now: Timestamp, _ actions: inout [ScheduleAction]
    ) {
        let pause = max(failure.askedPause, policy.retry.jittered(max(0, count), draw: draw()))
        update(number) { entry in
            entry.step = .idle
            entry.notBefore = now + pause
        }
        queue(number, at: now)
        actions.append(.retrying(job: jobs[number].id, after: pause, failure))
    }

    /// The others with this key would meet the same fault.
    mutating func giveUp(_ number: Int, _ failure: Failure, at now: Timestamp, _ actions: inout [ScheduleAction]) {
        for member in [number] + (followers[number] ?? []) where !entries[member].progress.isFinal {
            end(member, .failed(failure), &actions)
            actions.append(.failed(job: jobs[member].id, failure))
            if policy.dispensable.contains(jobs[member].id) {
                goOn(without: member, at: now, &actions)
            } else {
                skipDependents(of: member, &actions)
                if !policy.continueOnErrors { skipArea(of: member, &actions) }
            }
        }
    }

    /// Whoever waits for it does what it can without it; with nothing at all there is nothing to do.
    private mutating func goOn(without failed: Int, at now: Timestamp, _ actions: inout [ScheduleAction]) {
        for dependent in dependents[failed] where !entries[dependent].progress.isFinal {
            let isLast = entries[dependent].openDependencies == 1
            let hasAny = jobs[dependent].dependsOn.contains { id in
                if let number = index[id], case .done = entries[number].progress { true } else { false }
            }
            guard isLast && !hasAny else {
                release([dependent], at: now)
                continue
            }
            end(dependent, .skipped(failedJob: jobs[failed].id), &actions)
            actions.append(.skipped(job: jobs[dependent].id, failedJob: jobs[failed].id))
            skipDependents(of: dependent, &actions)
        }
    }

    /// `continueOnErrors: false`: what an area without hope still had to do is left, unless another area needs it too.
    private mutating func skipArea(of failed: Int, _ actions: inout [ScheduleAction]) {
        let area = jobs[failed].area
        for number in jobs.indices where jobs[number].area == area && !entries[number].progress.isFinal {
            guard (followers[number] ?? []).allSatisfy({ jobs[$0].area == area }) else { continue }
            if case .submitted(let jobURL, _) = entries[number].progress {
                actions.append(.cancel(job: jobs[number].id, jobURL: jobURL))
            }
            end(number, .skipped(failedJob: jobs[failed].id), &actions)
            actions.append(.skipped(job: jobs[number].id, failedJob: jobs[failed].id))
        }
    }

    private mutating func skipDependents(of number: Int, _ actions: inout [ScheduleAction]) {
        for dependent in dependents[number] where !entries[dependent].progress.isFinal {
            end(dependent, .skipped(failedJob: jobs[number].id), &actions)
            actions.append(.skipped(job: jobs[dependent].id, failedJob: jobs[number].id))
            skipDependents(of: dependent, &actions)
        }
    }

    mutating func enforceDeadlines(at now: Timestamp, _ actions: inout [ScheduleAction]) {
        let overdue = deadlines.due(at: now) { [entries] number, time in entries[number].isBound(by: time) }
        for number in overdue where !entries[number].progress.isFinal {
            if case .submitted(let jobURL, _) = entries[number].progress {
                actions.append(.cancel(job: jobs[number].id, jobURL: jobURL))
            }
            giveUp(number, Failure(overdue: entries[number], after: policy.jobDeadline, at: now), at: now, &actions)
        }
    }
}

extension Failure {
    /// What was allowed, and what the server had said until then (cases B15).
    fileprivate init(overdue entry: Scheduler.Entry, after limit: Timestamp, at now: Timestamp) {
        let limit = "\(limit / 1000) seconds"
        var status: ServerWord?
        let message: String
        switch (entry.progress, entry.said) {
        case (.submitting, _):
            self.init(phase: .submit, kind: .deadline, message: "The server did not answer the request within \(limit).")
            return
        case (.submitted, let said?) where !said.word.isEmpty:
            let word = ServerWord(word: Redaction.text(said.word), seconds: Double(now - said.since) / 1000)
            let time = word.seconds < 1 ? "less than a second" : "\(Int(word.seconds)) seconds"
            message =
                "The job was not finished \(limit) after it was submitted; the server's last word was \(word.word), for \(time)."
            status = word
        case (.submitted, _):
            message = "The job was not finished \(limit) after it was submitted; the server never said how far it was."
        default: message = "The job's file was not fetched \(limit) after the job was submitted."
        }
        self.init(phase: .poll, kind: .deadline, message: message)
        lastStatus = status
    }

    /// Milliseconds that the server asked to wait.
    fileprivate var askedPause: Timestamp { retryAfterSeconds.map { Timestamp($0 * 1000) } ?? 0 }
}
