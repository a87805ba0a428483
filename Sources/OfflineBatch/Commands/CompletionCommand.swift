extension Command {
    static let completion = Command(
        spec: CommandSpec(
            name: "completion", summary: "prints a completion script for a shell",
            examples: [
                Example("offline-batch completion bash > /etc/bash_completion.d/offline-batch", "For bash."),
                Example("offline-batch completion zsh > ~/.zfunc/_offline-batch", "For zsh, with `fpath+=~/.zfunc`."),
                Example("offline-batch completion fish > ~/.config/fish/completions/offline-batch.fish", "For fish."),
            ],
            positionals: [
                PositionalSpec(name: "SHELL", help: "bash, zsh or fish.", choices: ["bash", "zsh", "fish"], completion: .none)
            ]),
        run: { (call) throws(UsageProblem) in
            let tree = CommandTree.offlineBatch
            switch call.arguments.positionals[0] {
            case "bash": call.environment.output.write(tree.bashCompletion)
            case "zsh": call.environment.output.write(tree.zshCompletion)
            default: call.environment.output.write(tree.fishCompletion)
            }
            return .ok
        })
}
