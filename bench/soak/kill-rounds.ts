/**
 * Soak test of `serve --state` with repeated kills during writes: no acknowledged change is lost.
 *
 *     bun bench/soak/kill-rounds.ts --rounds 50 --seed 1
 */
import { randomSource } from '../../src/random/random-source.ts'
import { type RoundsReport, runRounds } from './rounds-command.ts'
import { StoredThings } from './stored-things.ts'
import { StoringClient } from './storing-client.ts'
import { compare, runLanes } from './storing-lanes.ts'
import { type ServerFiles, StoringServer } from './storing-server.ts'

/** Kills a server in each round after a number of responses, and checks the next one's contents. */
export async function killRounds(
  files: ServerFiles,
  rounds: number,
  seed: number,
  tell: (line: string) => void = () => {},
): Promise<RoundsReport> {
  const things = new StoredThings()
  const problems: string[] = []
  for (let round = 0; round <= rounds && problems.length === 0; round++) {
    const server = await StoringServer.start(files)
    if (round === 0) await new StoringClient(server.origin, things).begin()
    problems.push(...(await compare(server, things)))
    if (round < rounds && problems.length === 0) await killed(server, things, round, seed)
    await server.kill()
    if (server.fault) problems.push(server.fault)
    tell(`round ${round}: ${things.made} changes and ${things.reads} reads so far`)
  }
  return { things, problems }
}

/** Many clients at once until so many responses; then the server is killed. */
async function killed(server: StoringServer, things: StoredThings, round: number, seed: number) {
  let left = randomSource(seed, `killed in round ${round}`).between(20, 200)
  const whenAnswered = () => {
    if (--left === 0) server.child.kill('SIGKILL')
  }
  await runLanes(server, things, { round, seed, whenAnswered, goesOn: () => left > 0 })
  await server.child.exited
}

if (import.meta.main) await runRounds('kill-rounds', killRounds)
