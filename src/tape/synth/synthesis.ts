import { format, pow10 } from '../../decimal/quantity.ts'
import type { LiquiditySnapshot } from '../../market/events/event-kind.ts'
import { type PlotEvent, readPlotYaml } from '../../market/events/event-schedule.ts'
import type { MarketEvent, TimedMarketEvent } from '../../market/events/market-event.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import { type BookLevel, RATE_DECIMALS, type SynthEvent } from '../../market/synth/synth-event.ts'
import {
  newSynthesiser,
  Synthesiser,
  type SynthesiserState,
} from '../../market/synth/synthesiser.ts'
import { UserError } from '../../platform/user-error.ts'
import type { EventDraft, Instrument, Level } from '../tape-event.ts'
import { INSTRUMENT_PROFILES, type ListedProfile } from './listing.ts'

/** Mean order of a taker relative to the median one. */
const MEAN_TO_MEDIAN = 3
const DAY_S = 86_400

/**
 * The plot of a file for a synthesised market; a UserError names file, line and field of a flaw.
 */
export function plotOf(
  file: string,
  text: string,
  options: SynthOptions,
): PlotEvent<MarketEvent>[] {
  const { minutes = 20 } = options
  const market = { standings: standingsOf(options), lengthMs: minutes * 60_000 }
  const plot = readPlotYaml(file, text, market)
  for (const { event } of plot)
    if (event.kind === 'news')
      throw new UserError(`${file}: a tape has no news: tell them to a server, or in a scenario`)
  return plot
}

/** Initial liquidity of each market. */
function standingsOf(options: SynthOptions): LiquiditySnapshot[] {
  const books = new Map(
    new Synthesiser(synthesisedMarket(options))
      .step()
      .flatMap((event) => (event.kind === 'book' ? [[event.coin, event]] : [])),
  )
  const { profiles = INSTRUMENT_PROFILES } = options
  return profiles.map(
    ({ coin, kind, pxDecimals, szDecimals, interestUsd, ordersPerS, orderUsd }) => {
      const unit = pow10(pxDecimals) * pow10(szDecimals)
      const usd = (levels: readonly BookLevel[] = []) =>
        levels.reduce((sum, { px, lots }) => sum + (px * lots) / unit, 0)
      const book = books.get(coin)
      return {
        coin,
        kind,
        openInterestUsd: interestUsd,
        bidUsd: usd(book?.bids),
        askUsd: usd(book?.asks),
        dayVolumeUsd: ordersPerS * orderUsd * MEAN_TO_MEDIAN * DAY_S,
      }
    },
  )
}

/** Decimals of an instrument's prices and sizes. */
interface Decimals {
  coin: string
  pxDecimals: number
  szDecimals: number
}

/** Converts events of these instruments to a tape's form: numbers as decimal strings. */
export function eventTexts(instruments: readonly Decimals[]): (event: SynthEvent) => EventDraft {
  const texts = new Map(instruments.map((each) => [each.coin, new EventTexts(each)]))
  return (event) => {
    const ofCoin = texts.get(event.coin)
    if (!ofCoin) throw new Error(`the decimals of ${event.coin} are not known`)
    return ofCoin.draft(event)
  }
}

class EventTexts {
  constructor(private readonly decimals: Decimals) {}

  draft(event: SynthEvent): EventDraft {
    const { kind, timeMs: time, coin } = event
    switch (kind) {
      case 'book':
      case 'delta': {
        const data = { bids: event.bids.map(this.level), asks: event.asks.map(this.level) }
        return { time, kind, coin, data }
      }
      case 'trade': {
        const { side, px, lots, tid } = event
        return { time, kind, coin, data: { side, px: this.px(px), sz: this.sz(lots), tid } }
      }
      case 'liquidation': {
        const { position, lots, mark, tids } = event
        const data = { position, sz: this.sz(lots), markPx: this.px(mark), tids }
        return { time, kind, coin, data }
      }
      case 'mark': {
        const data = { mark: this.px(event.mark), oracle: this.px(event.oracle) }
        return { time, kind, coin, data }
      }
      case 'funding': {
        const data = { rate: rateText(event.rate), premium: rateText(event.premium) }
        return { time, kind, coin, data }
      }
      case 'interest':
        return { time, kind, coin, data: { openInterest: this.sz(event.lots) } }
    }
  }

  private px(units: number): string {
    return format(units, this.decimals.pxDecimals)
  }

  private sz(lots: number): string {
    return format(lots, this.decimals.szDecimals)
  }

  private level = ({ px, lots, orders }: BookLevel): Level => [this.px(px), this.sz(lots), orders]
}

function rateText(units: number): string {
  return format(units, RATE_DECIMALS)
}

/** Parameters of a synthesised market. */
export interface SynthOptions {
  /** Any whole number; equal seeds give equal events. */
  seed: number
  /** Length; the first minutes do not depend on it. 20 by default. */
  minutes?: number
  /** Time of the first event, ms since 1970. By default 2026-01-15T12:00:00Z. */
  startMs?: number
  /** Its instruments; eleven by default. */
  profiles?: readonly ListedProfile[]
  /** Mood of the market, instead of cycles; null is the usual one. */
  mood?: MoodName | null
  /** Its events, and their times, ms after the start. */
  plot?: readonly Planned[]
}

/** A market event and its start. */
interface Planned {
  afterMs: number
  event: TimedMarketEvent['event']
}

const START_MS = Date.UTC(2026, 0, 15, 12)
/** A month; prices have drifted arbitrarily far by then. */
const MINUTES_MAX = 30 * 24 * 60

/**
 * A market made from a seed, event by event in order of time; memory does not grow with its length.
 *
 * Instruments with correlated, fat-tailed returns in clusters of volatility; books that the takers
 * deplete and the makers refill; orders in bursts, most of them parts of larger ones. Each twenty
 * minutes have a quiet phase (about minutes 6 to 8) and a cascade of liquidations with its recovery
 * (about minute 13); a market with a mood or a plot has neither, its conditions vary randomly
 * instead. The events have no `seq` yet: the writer numbers them. An invalid seed, length or start
 * is a `UserError`.
 */
export function* synthesise(options: SynthOptions): Generator<EventDraft, void, undefined> {
  const { minutes = 20, startMs = START_MS, profiles = INSTRUMENT_PROFILES, plot = [] } = options
  checkOptions(options.seed, minutes, startMs)
  const state = synthesisedMarket(options)
  const events = plot.map(({ afterMs, event }) => {
    return { event, requestedMs: startMs, fromMs: startMs + afterMs }
  })
  const synthesiser = new Synthesiser(state, events)
  const textOf = eventTexts(profiles)
  const endMs = Math.round(minutes * 60_000)
  while (state.nextMs < endMs)
    for (const event of synthesiser.step()) if (event.timeMs < startMs + endMs) yield textOf(event)
}

/** The same market before its first event. */
function synthesisedMarket(options: SynthOptions): SynthesiserState {
  const { seed, startMs = START_MS, profiles = INSTRUMENT_PROFILES, mood, plot } = options
  const wanders = mood !== undefined || plot !== undefined
  return newSynthesiser(seed, startMs, profiles, wanders ? { mood: mood ?? null } : null)
}

/** The instruments of a synthesised market as listed in a tape. */
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
