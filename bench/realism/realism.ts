/** `bun run realism`: compares worlds with real markets, and writes docs/realism.md. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { MOOD_NAMES, type MoodName } from '../../src/market/synth/mood.ts'
import { cacheFolder, PROJECT_FOLDER } from '../../src/platform/environment.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { file, given, number, tapeName, text } from '../../src/server/commands/flag.ts'
import { DEFAULT_TAPE } from '../../src/tape/tape-name.ts'
import { writeRealism } from './writing.ts'

const USAGE = `bun run realism [options]

Casts the world of a tape for several seeds, reads what a client sees of each, and writes
docs/realism.md with its pictures: every statistic of our markets beside those of real ones.

  --tapes FOLDER  recordings of real markets (the folder that TAPEWRIGHT_TEST_TAPES names); without
                  any, what was measured of them last stays as it is
  --tape TAPE     the tape of our worlds (${DEFAULT_TAPE})
  --seeds LIST    their seeds (1,2,3)
  --days N        grows each market by so many days after its tape, compares them with the days
                  before it, and ends with code 1 where they differ by more than real months do;
                  0, the default, keeps the last comparison. A day takes half a minute or more
  --compared LIST seeds of the compared worlds (1,2,3,4,5,6,7,8,9,10)
  --moods LIST    moods that are compared as well, with the first of these seeds (all)
  --crashes       plays a published crash and a fall of 15 % after the tape of the first seed
  --out FOLDER    where realism.md and the folder realism are written (docs)`

const FLAGS = {
  tapes: text('FOLDER', { about: 'recordings of real markets' }),
  tape: tapeName({ about: 'the tape of our worlds', default: DEFAULT_TAPE }),
  seeds: text('LIST', { about: 'their seeds', default: '1,2,3' }),
  days: number(0, 31, { about: 'days to grow each market by', default: 0 }),
  compared: text('LIST', {
    about: 'seeds of the compared worlds',
    default: '1,2,3,4,5,6,7,8,9,10',
  }),
  moods: text('LIST', { about: 'moods that are compared', default: MOOD_NAMES.join(',') }),
  crashes: given('plays a published crash and a fall of 15 %'),
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
  const flags = readFlags('realism', process.argv.slice(2), FLAGS)
  const { tapes, tape, out, days } = flags
  if (flags.help) return console.log(USAGE)
  const found = process.env.TAPEWRIGHT_TEST_TAPES ?? null
  if (tapes !== undefined && !existsSync(tapes))
    throw new UserError(`--tapes: there is no folder ${tapes}`)
  const flaws = await writeRealism({
    tape,
    seeds: seedsOf('--seeds', flags.seeds),
    days,
    compared: seedsOf('--compared', flags.compared),
    moods: moodsOf(flags.moods),
    crashes: flags.crashes,
    tapes: tapes ?? found,
    out,
    cacheDir: cacheFolder(),
    log: (line) => console.error(`realism: ${line}`),
  })
  for (const flaw of flaws) console.error(`realism: ${flaw}`)
  if (flaws.length > 0) process.exitCode = 1
}

function moodsOf(list: string): MoodName[] {
  const names = list.split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !MOOD_NAMES.some((known) => known === name))
  if (unknown === undefined) return names as MoodName[]
  throw new UserError(`--moods: "${unknown}" is none of ${MOOD_NAMES.join(', ')}`)
}

function seedsOf(flag: string, list: string): number[] {
  const seeds = list.split(',').map(Number)
  if (seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)) return seeds
  throw new UserError(`${flag} must be whole numbers with commas between them, not "${list}"`)
}
