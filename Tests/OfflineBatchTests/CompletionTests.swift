import Basics
import TestSupport
import Testing

@testable import OfflineBatch

@Suite struct CompletionTests {
    @Test("bash offers commands, options and choices")
    func bash() throws {
        let folder = try TemporaryFolder()
        let script = folder.file("completion.bash")
        try Files.writeAtomically(CommandTree.offlineBatch.bashCompletion.utf8, to: script)
        func offers(_ words: String) throws -> Set<String> {
            let ask = """
                . "$0"
                COMP_WORDS=(\(words))
                COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
                _offline_batch
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let verdict = try Command.run("bash", ["-c", ask, script])
            #expect(verdict.errors.isEmpty)
            return Set(verdict.output.split(separator: "\n").map(String.init))
        }
        #expect(try offers("offline-batch va") == ["validate"])
        #expect(try offers("offline-batch plan --d") == ["--dot"])
        #expect(try offers("offline-batch run --log-format ''") == ["text", "json"])
        #expect(try offers("offline-batch completion z") == ["zsh"])
    }

    @Test("Every command and option is in every script")
    func complete() {
        let tree = CommandTree.offlineBatch
        for command in tree.commands {
            for script in [tree.bashCompletion, tree.zshCompletion, tree.fishCompletion] {
                #expect(script.contains(command.name))
            }
            for option in command.options {
                #expect(tree.bashCompletion.contains("--\(option.long)") && tree.zshCompletion.contains("--\(option.long)"))
                #expect(tree.fishCompletion.contains("-l \(option.long)"))
            }
        }
    }
}
