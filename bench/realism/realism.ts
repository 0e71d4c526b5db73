/** `bun run realism`: compares worlds with real markets, and writes docs/realism.md. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { cacheFolder, PROJECT_FOLDER } from '../../src/platform/environment.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { file, given, tapeName, text } from '../../src/server/commands/flag.ts'
import { DEFAULT_TAPE } from '../../src/tape/tape-name.ts'
import { writeRealism } from './writing.ts'

const USAGE = `bun run realism [options]

Casts the world of a tape for several seeds, reads what a client sees of each, and writes
docs/realism.md with its pictures: every statistic of our markets beside those of real ones.

  --tapes FOLDER  recordings of real markets (the folder that TAPEWRIGHT_TEST_TAPES names); without
                  any, what was measured of them last stays as it is
  --tape TAPE     the tape of our worlds (${DEFAULT_TAPE})
  --seeds LIST    their seeds (1,2,3)
  --out FOLDER    where realism.md and the folder realism are written (docs)`

const FLAGS = {
  tapes: text('FOLDER', { about: 'recordings of real markets' }),
  tape: tapeName({ about: 'the tape of our worlds', default: DEFAULT_TAPE }),
  seeds: text('LIST', { about: 'their seeds', default: '1,2,3' }),
  out: file({ about: 'the folder to write into', default: path.join(PROJECT_FOLDER, 'docs') }),
  help: given('prints what it does'),
} as const

try {
  await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(`realism: ${error.message}`)
  process.exitCode = 1
}
// A world's read-ahead would continue for a while.
process.exit()

async function main(): Promise<void> {
  const { tapes, tape, seeds, out, help } = readFlags('realism', process.argv.slice(2), FLAGS)
  if (help) return console.log(USAGE)
  const found = process.env.TAPEWRIGHT_TEST_TAPES ?? null
  if (tapes !== undefined && !existsSync(tapes))
    throw new UserError(`--tapes: there is no folder ${tapes}`)
  await writeRealism({
    tape,
    seeds: seedsOf(seeds),
    tapes: tapes ?? found,
    out,
    cacheDir: cacheFolder(),
    log: (line) => console.error(`realism: ${line}`),
  })
}

function seedsOf(list: string): number[] {
  const seeds = list.split(',').map(Number)
  if (seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)) return seeds
  throw new UserError(`--seeds must be whole numbers with commas between them, not "${list}"`)
}
