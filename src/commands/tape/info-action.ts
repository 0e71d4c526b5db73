import { statSync } from 'node:fs'
import { EVENT_KINDS } from '../../tape/tape-event.ts'
import { inspectTape } from '../../tape/tape-inspection.ts'
import { TapeProfile } from '../../tape/tape-profile.ts'
import { openTape } from '../../tape/tape-reader.ts'
import type { Run } from '../command.ts'
import { progressLine } from '../terminal.ts'
import { infoText, type TapeFacts } from './info-text.ts'
import type { TAPE_INFO } from './inspect-declarations.ts'
import { tapeOf } from './tape-argument.ts'

/** Intervals of the prices that are shown. */
const INTERVALS = 24

/** `tape info`: what is on a tape, and what each coin did. */
export const info: Run<typeof TAPE_INFO> = async ({ flags, rest }) => {
  const facts = await factsOf(tapeOf(rest))
  console.log(flags.json ? JSON.stringify(recordOf(facts)) : infoText(facts))
  return 0
}

async function factsOf(path: string): Promise<TapeFacts> {
  const tape = await openTape(path)
  const { counts, startMs, endMs } = tape.header
  const profile = new TapeProfile(tape.header, INTERVALS)
  const seconds = Math.max(1, endMs - startMs) / 1000
  const kinds = EVENT_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0
    return count === 0 ? [] : { kind, count, perSecond: count / seconds }
  })
  const of = kinds.reduce((sum, { count }) => sum + count, 0)
  const [progress, bytes] = [progressLine(), statSync(path).size]
  let read = 0
  const { coins, events } = await inspectTape(tape, (event, quote) => {
    profile.observe(event, quote)
    if (++read % 100_000 === 0) progress.show(`reading: ${Math.floor((100 * read) / of)} %`)
  }).finally(() => progress.clear())
  return { tape, bytes, events, kinds, coins, profile: profile.summary() }
}

/** The same for a program: the header with what was found. */
function recordOf({ tape, bytes, events, kinds, coins, profile }: TapeFacts) {
  const { intervalMs, silences, recording } = profile
  const shapes = new Map(profile.coins.map((one) => [one.coin, one]))
  return {
    ...tape.header,
    bytes,
    events,
    kinds,
    silences,
    recording,
    intervalMs,
    coins: coins.map((coin) => {
      const { prices, turnovers, meanSpread, longestPauseMs } = shapes.get(coin.coin) ?? {}
      return { ...coin, prices, turnovers, meanSpread, longestPauseMs }
    }),
  }
}
