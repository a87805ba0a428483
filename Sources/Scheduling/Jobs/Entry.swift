import Planning

extension Scheduler {
    /// What the scheduler knows about one job.
    struct Entry: Sendable {
        /// Number of the service that works on it; nil for local jobs.
        var service: Int?
        var progress = JobProgress.planned
        var step = Step.idle
        /// Submissions so far, or tries of a local job.
        var attempt = 0
        /// Consecutive failed polls or fetches since the last success of one.
        var troubles = 0
        var polls = 0
        /// The server's last status word, and since when it says it.
        var said: (word: String, since: Timestamp)?
        var deadline: Timestamp?
        /// Not before this time.
        var notBefore: Timestamp = 0
        var openDependencies: Int
        /// Another job with the same key does the work.
        var isFollower = false
        /// The night is too short for it; the next run will do it.
        var isLeft = false

        /// The step that would come next; nil when there is none.
        var stage: Stage? {
            switch progress {
            case .ready: .fetch
            case .submitted: .poll
            case .planned, .submitting: service == nil ? .local : .submit
            case .done, .failed, .skipped: nil
            }
        }

        /// Nothing but time and limits keeps it from its next step.
        var mayGoOn: Bool { step == .idle && openDependencies == 0 && !isFollower && !isLeft && !progress.isFinal }

        /// A server job of ours is, or may be, alive.
        var isOpenAtServer: Bool {
            switch progress {
            case .submitting, .submitted: true
            default: step == .submitting
            }
        }
    }

    /// What is going on right now for a job.
    enum Step: Sendable { case idle, submitting, polling, fetching, performing }
}

extension Job.Kind {
    /// Two jobs of one key bring the same bytes. Packages and publications belong to their area.
    var isShareable: Bool { self != .package && self != .publish }
}
