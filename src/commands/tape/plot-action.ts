import { basename } from 'node:path'
import { inspectTape } from '../../tape/tape-inspection.ts'
import { TapeProfile } from '../../tape/tape-profile.ts'
import { openTape } from '../../tape/tape-reader.ts'
import { UserError } from '../../user-error.ts'
import { writeAtomically } from '../bench/performance-page.ts'
import type { Run } from '../command.ts'
import { progressLine } from '../terminal.ts'
import type { TAPE_PLOT } from './inspect-declarations.ts'
import { tapeOf } from './tape-argument.ts'
import { tapePlot } from './tape-plot.ts'

/** Intervals of a drawing: about two dots each. */
const INTERVALS = 420
/** Coins of a drawing, unless they are named. */
const COINS_MOST = 8

/** `tape plot`: a tape as a drawing. */
export const plot: Run<typeof TAPE_PLOT> = async ({ flags, rest }) => {
  const tape = await openTape(tapeOf(rest))
  const { header } = tape
  const wanted = flags.coins?.split(',').map((coin) => coin.trim())
  const known = header.instruments.map(({ coin }) => coin)
  const absent = wanted?.find((coin) => !known.includes(coin))
  if (absent !== undefined)
    throw new UserError(`${tape.path}: has no coin ${absent}, it has ${known.join(', ')}`)
  if (known.length === 0)
    throw new UserError(`${tape.path}: has no coin to draw; tape info says what is in it`)
  const coins = wanted ?? known.slice(0, COINS_MOST)
  const out = flags.out ?? `${basename(tape.path).replace(/\.tape\.ndjson(\.zst)?$/, '')}.svg`
  const profile = new TapeProfile(header, INTERVALS)
  const progress = progressLine()
  let read = 0
  await inspectTape(tape, (event, quote) => {
    profile.observe(event, quote)
    if (++read % 100_000 === 0) progress.show(`reading: ${read} events`)
  }).finally(() => progress.clear())
  await writeAtomically(out, tapePlot(basename(tape.path), header, profile.summary(), coins))
  console.log(`${out}: ${coins.join(', ')}`)
  return 0
}
