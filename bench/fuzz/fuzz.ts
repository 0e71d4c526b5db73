/**
 * `bun run fuzz`: sends generated input to every target until the time is over or one breaks. Each
 * target runs in a process of its own, so that a hang or an exit is a finding as well.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { unknownText } from '../../src/contract/fields/nearest-name.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { file, given, number, text, wholeNumber } from '../../src/server/commands/flag.ts'
import type { Failure } from './attempt.ts'
import type { FuzzTarget } from './fuzz-target.ts'
import { supervised } from './supervision.ts'
import { FUZZ_TARGETS } from './targets.ts'

const USAGE = `bun run fuzz [options]

Sends generated input to every target. Ends with code 1 at the first that breaks one: prints
it as short as it could be made, and keeps it in a file.

  --seed N        of the first round; each round has the next (1)
  --minutes N     how long (1)
  --target NAME   one target only: ${FUZZ_TARGETS.map(({ name }) => name).join(', ')}
  --replay FILE   gives what a file keeps to its target again`

const FINDINGS = path.join(import.meta.dir, '..', '..', '.cache', 'fuzz')
/** Time slice of a target. */
const SLICE_S = 10

const FLAGS = {
  seed: wholeNumber({ min: 0, max: 2 ** 31 - 1 }, { about: 'what is thrown', default: 1 }),
  minutes: number(0, 100_000, { about: 'how long', default: 1 }),
  target: text('NAME', { about: 'one target only' }),
  replay: file({ about: 'gives what a file keeps to its target again' }),
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
  return fuzz(targetsOf(flags.target), flags.seed, flags.minutes * 60_000)
}

function targetsOf(name: string | undefined): readonly FuzzTarget[] {
  if (name === undefined) return FUZZ_TARGETS
  const found = FUZZ_TARGETS.find((target) => target.name === name)
  if (found) return [found]
  const known = FUZZ_TARGETS.map((target) => target.name)
  throw new UserError(unknownText('target', name, known))
}

async function fuzz(
  targets: readonly FuzzTarget[],
  firstSeed: number,
  forMs: number,
): Promise<number> {
  const endMs = performance.now() + forMs
  let tried = 0
  for (let seed = firstSeed; performance.now() < endMs; seed++)
    for (const { name, perSecond } of targets) {
      const runs = SLICE_S * perSecond
      const failure = await supervised({ order: 'attempt', target: name, seed, runs })
      console.log(`seed ${seed}  ${name.padEnd(12)} ${failure ? 'BROKEN' : `${runs} scripts`}`)
      if (failure) return reportFailure(failure)
      tried += runs
      if (performance.now() >= endMs) break
    }
  console.log(`nothing broke: ${tried} scripts`)
  return 0
}

async function reportFailure(failure: Failure): Promise<number> {
  mkdirSync(FINDINGS, { recursive: true })
  const file = path.join(FINDINGS, `${failure.target.replaceAll(' ', '-')}-${failure.seed}.json`)
  await Bun.write(file, `${JSON.stringify(failure, null, 2)}\n`)
  console.log(`\n${failure.message}\n\n${JSON.stringify(failure.script, null, 2)}\n`)
  console.log(`again: bun run fuzz --replay ${path.relative(process.cwd(), file)}`)
  console.log(
    `found: --target "${failure.target}" --seed ${failure.seed}, path ${failure.path || '-'}`,
  )
  return 1
}

async function replay(file: string): Promise<number> {
  const { target, script } = failureIn(file)
  const failure = await supervised({ order: 'retry', target, script })
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
