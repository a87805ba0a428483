import Testing

@testable import DemoPortal

@Suite struct ArgumentsTests {
    @Test func readsEveryOption() throws {
        let arguments = try DemoPortalArguments([
            "--port", "0", "--host=127.0.0.1", "--ready-file", "r", "--journal", "j", "--flavour", "agol", "--data", "large",
            "--job-seconds", "0.5", "--slots", "3", "--result-seconds", "60", "--token-minutes", "5", "--max-export-tiles", "50",
            "--faults", "f", "--users", "u", "--samples", "s",
        ])
        let configuration = arguments.configuration
        #expect(configuration.port == 0)
        #expect(arguments.readyFile == "r")
        #expect(configuration.journalFile == "j")
        #expect(configuration.flavour == .agol)
        #expect(configuration.data == .large)
        #expect(configuration.jobSeconds == 0.5)
        #expect(configuration.slots == 3)
        #expect(configuration.resultSeconds == 60)
        #expect(configuration.tokenMinutes == 5)
        #expect(configuration.maxExportTiles == 50)
        #expect(arguments.faultsFile == "f")
        #expect(arguments.usersFile == "u")
        #expect(configuration.samples == "s")
    }

    @Test(arguments: [
        (["--prot", "1"], "Did you mean --port?"), (["--port"], "needs a value"), (["--port", "70000"], "65535"),
        (["--slots", "0"], "from 1"),
        (["--flavour", "esri"], "agol or server"), (["--data", "city"], "hamlet or town or large"),
        (["town"], "unknown option town"),
    ])
    func explainsWhatIsWrong(words: [String], expected: String) {
        do throws(DemoPortalArguments.UsageError) {
            _ = try DemoPortalArguments(words)
            Issue.record("the words were taken")
        } catch {
            #expect(error.message.contains(expected))
        }
    }

    @Test func yamlKeepsQuotedNumbersAsText() throws {
        let tree = try YAMLReader.read("a: \"12\"\nb: 12\nc: [true, null, 1.5, x]\nd: {e: 'f'}")
        #expect(tree["a"] == "12")
        #expect(tree["b"] == 12)
        #expect(tree["c"] == [true, nil, 1.5, "x"])
        #expect(tree["d"]?["e"] == "f")
        #expect(throws: YAMLReader.SyntaxError.self) { try YAMLReader.read("a: [1") }
    }
}
