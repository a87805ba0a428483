/// Asks questions at the same time, at most `limit` of them at once; each answer by its question.
public func concurrently<Question: Hashable & Sendable, Answer: Sendable>(
    _ questions: some Sequence<Question>, limit: Int, _ answer: @escaping @Sendable (Question) async -> Answer
) async -> [Question: Answer] {
    await withTaskGroup(of: (Question, Answer).self) { group in
        var answers: [Question: Answer] = [:]
        for (index, question) in Set(questions).enumerated() {
            if index >= limit, let (done, found) = await group.next() { answers[done] = found }
            group.addTask { (question, await answer(question)) }
        }
        for await (done, found) in group { answers[done] = found }
        return answers
    }
}
