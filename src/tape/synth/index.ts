import { Complaint } from '../../complaint.ts'
import { dice } from '../../random/dice.ts'
import type { Draft, Instrument } from '../event.ts'
import { Market } from './market.ts'
import { ROSTER } from './roster.ts'
import { tids } from './tids.ts'
import { STEP_MS, weather } from './weather.ts'

/** What a synthesised market is made from. */
export interface SynthOptions {
  /** Any whole number; the same one gives the same events. */
  seed: number
  /** Length; the first minutes do not depend on it. 20 unless told. */
  minutes?: number
  /** Time of the first event, ms since 1970. 2026-01-15T12:00:00Z unless told. */
  startMs?: number
}

const START_MS = Date.UTC(2026, 0, 15, 12)
/** A month; prices have drifted far from anything by then. */
const MOST_MINUTES = 30 * 24 * 60

/**
 * A market made from a seed, event by event in order of time; memory does not grow with its length.
 *
 * Eleven instruments with correlated, fat-tailed returns in clusters of volatility; books that the
 * takers' orders eat and the makers refill. Each twenty minutes hold a quiet spell (about minutes
 * 6 to 8) and a cascade of liquidations with its recovery (about minute 13). The events have no
 * `seq` yet: the writer numbers them. A seed, length or start that makes no sense is a `Complaint`.
 */
export function* synthesise(options: SynthOptions): Generator<Draft, void, undefined> {
  const { seed, minutes = 20, startMs = START_MS } = options
  check(seed, minutes, startMs)
  const root = dice(seed, 'synth')
  const sky = weather(root.fork('weather'))
  const markets = assemble(startMs, root)
  for (const market of markets.values()) yield market.open()
  const endMs = Math.round(minutes * 60_000)
  for (let ms = 0; ms < endMs; ms += STEP_MS) {
    const now = sky.next()
    const cascade = sky.story.cascadeAt(ms)
    const events = [...markets.values()].flatMap((market) => market.step(ms, now, cascade))
    events.sort((a, b) => a.time - b.time)
    for (const event of events) if (event.time < startMs + endMs) yield event
  }
}

/** The instruments of every synthesised market, the busiest first. */
export function synthInstruments(): Instrument[] {
  return ROSTER.map((profile) => {
    const { coin, kind, dex, base, quote, pxDecimals, szDecimals, maxLeverage } = profile
    return { coin, kind, dex, base, quote, pxDecimals, szDecimals, maxLeverage }
  })
}

function check(seed: number, minutes: number, startMs: number): void {
  if (!Number.isSafeInteger(seed)) throw new Complaint(`seed ${seed} is not a whole number`)
  if (!(minutes > 0 && minutes <= MOST_MINUTES))
    throw new Complaint(
      `${minutes} minutes is no length, it lies above 0 and up to ${MOST_MINUTES}`,
    )
  if (!Number.isSafeInteger(startMs) || startMs < 0)
    throw new Complaint(`start ${startMs} is not a time in whole milliseconds since 1970`)
}

function assemble(startMs: number, root: ReturnType<typeof dice>): Map<string, Market> {
  const markets = new Map<string, Market>()
  for (const [lane, profile] of ROSTER.entries()) {
    const own = root.fork(profile.coin)
    const leader = markets.get(profile.follows ?? '')
    const nextTid = tids(lane, root.fork('tids'))
    markets.set(profile.coin, new Market(profile, own, nextTid, startMs, leader))
  }
  return markets
}
