/**
 * `bun run fuzz`: throws generated input at every door until the time is over or something breaks.
 * Each door runs in a process of its own, so that one that hangs or ends is a finding as well.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readFlags } from '../src/commands/command-line.ts'
import { file, given, number, text, wholeNumber } from '../src/commands/flag.ts'
import { unknownText } from '../src/suggestion/nearest-name.ts'
import { UserError } from '../src/user-error.ts'
import type { Failure } from './attempt.ts'
import type { Door } from './door.ts'
import { DOORS } from './doors.ts'
import { supervised } from './supervision.ts'

const USAGE = `bun run fuzz [options]

Throws generated input at every door. Ends with code 1 at the first thing that breaks: prints it as
short as it could be made, and keeps it in a file.

  --seed N        of the first round; each round has the next (1)
  --minutes N     how long (1)
  --door NAME     one door only: ${DOORS.map(({ name }) => name).join(', ')}
  --replay FILE   puts what a file keeps through its door again`

const FINDINGS = path.join(import.meta.dir, '..', '.cache', 'fuzz')
/** How long a door is kept at it before the next one has its turn. */
const SLICE_S = 10

const FLAGS = {
  seed: wholeNumber({ min: 0, max: 2 ** 31 - 1 }, { about: 'what is thrown', default: 1 }),
  minutes: number(0, 100_000, { about: 'how long', default: 1 }),
  door: text('NAME', { about: 'one door only' }),
  replay: file({ about: 'puts what a file keeps through its door again' }),
  help: given('prints what it does'),
} as const

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(`fuzz: ${error.message}`)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const flags = readFlags('fuzz', process.argv.slice(2), FLAGS)
  if (flags.help) console.log(USAGE)
  if (flags.help) return 0
  if (flags.replay !== undefined) return replay(flags.replay)
  return fuzz(doorsOf(flags.door), flags.seed, flags.minutes * 60_000)
}

function doorsOf(name: string | undefined): readonly Door[] {
  if (name === undefined) return DOORS
  const found = DOORS.find((door) => door.name === name)
  if (found) return [found]
  const known = DOORS.map((door) => door.name)
  throw new UserError(unknownText('door', name, known))
}

async function fuzz(doors: readonly Door[], firstSeed: number, forMs: number): Promise<number> {
  const endMs = performance.now() + forMs
  let tried = 0
  for (let seed = firstSeed; performance.now() < endMs; seed++)
    for (const { name, perSecond } of doors) {
      const runs = SLICE_S * perSecond
      const failure = await supervised({ order: 'attempt', door: name, seed, runs })
      console.log(`seed ${seed}  ${name.padEnd(12)} ${failure ? 'BROKEN' : `${runs} scripts`}`)
      if (failure) return tell(failure)
      tried += runs
      if (performance.now() >= endMs) break
    }
  console.log(`nothing broke: ${tried} scripts`)
  return 0
}

async function tell(failure: Failure): Promise<number> {
  mkdirSync(FINDINGS, { recursive: true })
  const file = path.join(FINDINGS, `${failure.door.replaceAll(' ', '-')}-${failure.seed}.json`)
  await Bun.write(file, `${JSON.stringify(failure, null, 2)}\n`)
  console.log(`\n${failure.message}\n\n${JSON.stringify(failure.script, null, 2)}\n`)
  console.log(`again: bun run fuzz --replay ${path.relative(process.cwd(), file)}`)
  console.log(`found: --door "${failure.door}" --seed ${failure.seed}, path ${failure.path || '-'}`)
  return 1
}

async function replay(file: string): Promise<number> {
  const { door, script } = failureIn(file)
  const failure = await supervised({ order: 'retry', door, script })
  console.log(failure ? failure.message : 'it holds now')
  return failure ? 1 : 0
}

function failureIn(file: string): Failure {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`--replay ${file} cannot be read: ${(error as Error).message}`)
  }
}
