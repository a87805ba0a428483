import Foundation
import Glibc
import Transport

// Asks a server for what goes well and what does not, round after round, in a process of its own, and says after each round what the
// process holds. `EnduranceTests` plays the server and judges.
//
//     transport-endurance http://127.0.0.1:8080 <rounds> <requests a round> <bytes leaked a request>

let words = CommandLine.arguments
let server = words[1]
let (rounds, requests, leak) = (Int(words[2]) ?? 0, Int(words[3]) ?? 0, Int(words[4]) ?? 0)
let endurance = Endurance(server: server, folder: FileManager.default.currentDirectoryPath, leak: leak)
print("before \(Holdings.now.text)")
for _ in 0..<rounds {
    let outcomes = await endurance.round(of: requests)
    print("round \(Holdings.settled().text) \(outcomes)")
}
endurance.end()
print("after \(Holdings.settled().text)")
