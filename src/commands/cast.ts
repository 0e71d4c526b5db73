/** `tapewright cast`: who and what one can ask for, of a server that runs or of a tape. */

import { tapeMs } from '../clock/instant.ts'
import { DEFAULT_ANSWERS } from '../contract/questions.ts'
import { DEFAULT_TAPE, worldProvider } from '../sandbox/world-provider.ts'
import { magicCatalogue } from '../scenario/magic-values.ts'
import type { Command } from './command.ts'
import { cacheFolder, RECORDINGS_FOLDER } from './environment.ts'
import { integerFlag, readFlags } from './flags.ts'

const USAGE = `tapewright cast [options]

Prints, as JSON, the coins, pairs, addresses, orders and positions that a sandbox on this tape
knows: its test card numbers.

  --tape TAPE   a tape file, or a name in recordings/ (default)
  --seed N      who trades on the tape (1)
  --at MS       as of this tape time, or this long after its start (its end)`

export const cast: Command = {
  name: 'cast',
  summary: 'print who and what one can ask for',
  usage: USAGE,
  async run(args) {
    const { tape, seed, at } = readOptions(args)
    const log = (text: string) => console.error(`tapewright: ${text}`)
    const settings = { tape, seed, recordings: RECORDINGS_FOLDER, cacheDir: cacheFolder(), log }
    const world = await worldProvider(settings)({})
    const { startMs, endMs } = world.timeline
    const atMs = at === undefined ? endMs : at < 1e10 ? startMs + at : at
    const who = world.cast({ atMs: tapeMs(atMs), shiftMs: 0, answers: DEFAULT_ANSWERS }) as object
    console.log(JSON.stringify({ ...who, magic: magicCatalogue() }, null, 2))
    return 0
  },
}

function readOptions(args: string[]): { tape: string; seed: number; at?: number } {
  const { tape, seed, at } = readFlags('cast', args, FLAGS)
  return {
    tape,
    seed: integerFlag('--seed', seed, 0, Number.MAX_SAFE_INTEGER),
    ...(at === undefined ? {} : { at: integerFlag('--at', at, 0, Number.MAX_SAFE_INTEGER) }),
  }
}

const FLAGS = {
  tape: { type: 'string', default: DEFAULT_TAPE },
  seed: { type: 'string', default: '1' },
  at: { type: 'string' },
} as const
