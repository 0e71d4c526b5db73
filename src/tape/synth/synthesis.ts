import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import {
  newSynthesiser,
  Synthesiser,
  type SynthesiserState,
} from '../../market/synth/synthesiser.ts'
import { UserError } from '../../platform/user-error.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'
import { eventTexts } from './event-texts.ts'
import { INSTRUMENT_PROFILES, type ListedProfile } from './instrument-profiles.ts'

/** What a synthesised market is made from. */
export interface SynthOptions {
  /** Any whole number; the same one gives the same events. */
  seed: number
  /** Length; the first minutes do not depend on it. 20 by default. */
  minutes?: number
  /** Time of the first event, ms since 1970. By default 2026-01-15T12:00:00Z. */
  startMs?: number
  /** Its instruments; eleven by default. */
  profiles?: readonly ListedProfile[]
  /** What the market is like, instead of cycles; null is as usual. */
  mood?: MoodName | null
  /** What it does besides, and when, ms after the start. */
  plot?: readonly Planned[]
}

/** A market event and when it begins. */
interface Planned {
  afterMs: number
  event: TimedMarketEvent['event']
}

const START_MS = Date.UTC(2026, 0, 15, 12)
/** A month; prices have drifted far from anything by then. */
const MINUTES_MAX = 30 * 24 * 60

/**
 * A market made from a seed, event by event in order of time; memory does not grow with its length.
 *
 * Instruments with correlated, fat-tailed returns in clusters of volatility; books that the takers
 * deplete and the makers refill; orders in bursts, most of them parts of larger ones. Each twenty
 * minutes have a quiet phase (about minutes 6 to 8) and a cascade of liquidations with its recovery
 * (about minute 13); a market with a mood or a plot has neither, its conditions wander instead. The
 * events have no `seq` yet: the writer numbers them. A seed, length or start that makes no sense is
 * a `UserError`.
 */
export function* synthesise(options: SynthOptions): Generator<EventDraft, void, undefined> {
  const { minutes = 20, startMs = START_MS, profiles = INSTRUMENT_PROFILES, plot = [] } = options
  checkOptions(options.seed, minutes, startMs)
  const state = synthesisedMarket(options)
  const events = plot.map(({ afterMs, event }) => {
    return { event, askedMs: startMs, fromMs: startMs + afterMs }
  })
  const synthesiser = new Synthesiser(state, events)
  const textOf = eventTexts(profiles)
  const endMs = Math.round(minutes * 60_000)
  while (state.nextMs < endMs)
    for (const event of synthesiser.step()) if (event.timeMs < startMs + endMs) yield textOf(event)
}

/** The same market before its first event. */
export function synthesisedMarket(options: SynthOptions): SynthesiserState {
  const { seed, startMs = START_MS, profiles = INSTRUMENT_PROFILES, mood, plot } = options
  const wanders = mood !== undefined || plot !== undefined
  return newSynthesiser(seed, startMs, profiles, wanders ? { mood: mood ?? null } : null)
}

/** The instruments of a synthesised market as a tape lists them. */
export function synthInstruments(
  profiles: readonly ListedProfile[] = INSTRUMENT_PROFILES,
): Instrument[] {
  return profiles.map((profile) => {
    const { coin, kind, dex, base, quote, pxDecimals, szDecimals, maxLeverage } = profile
    return { coin, kind, dex, base, quote, pxDecimals, szDecimals, maxLeverage }
  })
}

function checkOptions(seed: number, minutes: number, startMs: number): void {
  if (!Number.isSafeInteger(seed)) throw new UserError(`seed ${seed} is not a whole number`)
  if (!(minutes > 0 && minutes <= MINUTES_MAX))
    throw new UserError(`${minutes} minutes is no length, it lies above 0 and up to ${MINUTES_MAX}`)
  if (!Number.isSafeInteger(startMs) || startMs < 0)
    throw new UserError(`start ${startMs} is not a time in whole milliseconds since 1970`)
}
