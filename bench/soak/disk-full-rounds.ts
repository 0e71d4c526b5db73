/**
 * Soak test of `serve --state` with a full disk, a missing folder and kills: no acknowledged change
 * is lost, and no refused one is applied.
 *
 *     bun bench/soak/disk-full-rounds.ts --rounds 50 --seed 1
 */
import path from 'node:path'
import { type RandomSource, randomSource } from '../../src/random/random-source.ts'
import { type RoundsReport, runRounds } from './rounds-command.ts'
import { type StorageTrouble, storageTroubles } from './storage-troubles.ts'
import { StoredThings } from './stored-things.ts'
import { StoringClient } from './storing-client.ts'
import { compare, type Lanes, runLanes } from './storing-lanes.ts'
import { type ServerFiles, StoringServer } from './storing-server.ts'

/** Maximum log lines about an unwritable file, for one trouble. */
const LINES_MAX = 2

/** One trouble in each round, in turn, among those possible on this machine. */
export async function diskFullRounds(
  files: ServerFiles,
  rounds: number,
  seed: number,
  tell: (line: string) => void = () => {},
): Promise<RoundsReport> {
  const { state, troubles, cleanUp } = storageTroubles(path.join(files.cache, '../disk'))
  const own = { tape: files.tape, cache: files.cache, state }
  const things = new StoredThings()
  const problems: string[] = []
  try {
    for (let round = 0; round < rounds && problems.length === 0; round++) {
      const trouble = troubles[round % troubles.length] as StorageTrouble
      const refusedBefore = things.refused
      problems.push(...(await troubled(own, things, trouble, round, seed)))
      const refused = things.refused - refusedBefore
      tell(`round ${round}, ${trouble.name}: ${things.made} changes made, ${refused} refused`)
    }
    if (problems.length === 0) problems.push(...(await finalCheck(own, things)))
  } finally {
    cleanUp()
  }
  return { things, problems }
}

/** Clients at work, a temporary trouble, and a server killed in it or after it. */
async function troubled(
  files: ServerFiles,
  things: StoredThings,
  trouble: StorageTrouble,
  round: number,
  seed: number,
): Promise<string[]> {
  const server = await StoringServer.start(files)
  const course = new TroubleCourse(server, things, trouble, randomSource(seed, `course ${round}`))
  const problems: string[] = []
  try {
    if (round === 0) await new StoringClient(server.origin, things).begin()
    problems.push(...(await compare(server, things)))
    if (problems.length === 0) await runLanes(server, things, lanesOf(course, round, seed))
    if (!course.isKilled) problems.push(...(await compare(server, things)))
  } catch (error) {
    problems.push(`${error}\n${server.complaints}`)
  } finally {
    await server.kill()
    course.end()
  }
  if (server.fault) problems.push(server.fault)
  const lines = server.complaints.split('\n').filter((line) => line.includes('cannot be written'))
  if (lines.length > LINES_MAX) problems.push(`it is said too often: ${lines.join('\n')}`)
  return problems
}

const lanesOf = (course: TroubleCourse, round: number, seed: number): Lanes => ({
  round,
  seed,
  whenAnswered: () => course.step(),
  mayRefuse: () => course.isTroubled,
  goesOn: () => course.goesOn,
})

/** Trouble starts after so many responses, and ends after so many more, or the server is killed. */
class TroubleCourse {
  isTroubled = false
  isKilled = false
  goesOn = true
  private left: number

  constructor(
    private readonly server: StoringServer,
    private readonly things: StoredThings,
    private readonly trouble: StorageTrouble,
    private readonly random: RandomSource,
  ) {
    this.left = random.between(10, 80)
  }

  /** Counts a response. */
  step(): void {
    if (!this.goesOn || --this.left > 0) return
    this.left = this.random.between(10, 80)
    if (this.isTroubled && this.random.between(0, 2) > 0) this.end()
    else if (this.isTroubled || this.hasBegun) this.stop()
    else this.begin()
  }

  /** Ends the trouble. */
  end(): void {
    if (this.isTroubled) this.trouble.end(this.server)
    this.isTroubled = false
  }

  private hasBegun = false

  private begin(): void {
    this.hasBegun = true
    this.isTroubled = true
    this.things.isStoring = false
    this.trouble.begin(this.server, this.random)
  }

  private stop(): void {
    this.goesOn = false
    this.isKilled = this.isTroubled || this.random.between(0, 1) === 0
    if (this.isKilled) this.server.child.kill('SIGKILL')
  }
}

async function finalCheck(files: ServerFiles, things: StoredThings): Promise<string[]> {
  const server = await StoringServer.start(files)
  const problems = await compare(server, things)
  await server.kill()
  return problems
}

if (import.meta.main) await runRounds('disk-full-rounds', diskFullRounds)
