/**
 * Compares each coin before the tape, on it and after it: the market that continues must be the
 * one that was there before, as far as real months are alike.
 */
import type { TapeMs } from '../../src/clock/instant.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import type { MoodName } from '../../src/market/synth/mood.ts'
import { UserError } from '../../src/platform/user-error.ts'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { DAY_MS, HOUR_MS } from './bars.ts'
import type { Range } from './figures/figure.ts'
import { SPAN_FIGURES, type SpanFigure } from './figures/span-figures.ts'
import { type SpanOfCoin, spanOfCoin } from './readings/spans.ts'
import { quantile } from './statistics/quantiles.ts'

/** Most traded coins that are compared, and the leader among them. */
const COINS = 4
/** Spans before the tape, each as long as the one after it. */
const PAST_SPANS = 2

/** The figures of one world, by coin and by the id of the figure. */
export interface WorldSpans {
  name: string
  mood: MoodName | null
  /** The recording that it continues; null for the tape of all others. */
  recording: string | null
  coins: Record<string, Record<string, SpanValues>>
}

/** A figure over the spans of a world. */
export interface SpanValues {
  past: (number | null)[]
  tape: number | null
  future: number | null
}

/** Grows a market by so many days after its tape, and reads all spans of its coins. */
export async function spansOfWorld(
  { name, mood, recording }: Omit<WorldSpans, 'coins'>,
  world: LoadedWorld,
  days: number,
): Promise<WorldSpans> {
  const { startMs, tapeEndMs: endMs } = world.timeline
  const lengthMs = days * DAY_MS
  if (!world.growth) throw new UserError(`${name} does not continue after its tape`)
  const release = world.growth.hold()
  await world.growth.ensure((endMs + lengthMs) as TapeMs)
  const at = (atMs: number) =>
    world.facts({ atMs: atMs as TapeMs, shiftMs: 0, answers: DEFAULT_ANSWERS })
  const universe = at(endMs).venue.meta('')?.universe ?? []
  const coins = universe.map((one) => one.name).slice(0, COINS)
  const spans = coins.map((coin) => ({
    coin,
    past: Array.from({ length: PAST_SPANS }, (_, nth) => {
      const toMs = startMs - nth * lengthMs
      return spanOfCoin(at(toMs), coin, toMs - lengthMs, toMs)
    }),
    tape: spanOfCoin(at(endMs), coin, startMs, endMs),
    future: spanOfCoin(at(endMs + lengthMs), coin, endMs, endMs + lengthMs),
  }))
  release()
  const [leader] = spans
  if (!leader) throw new UserError(`${name} has no perpetual`)
  const valuesOf = ({ past, tape, future }: (typeof spans)[number], figure: SpanFigure) => ({
    past: past.map((span, nth) => written(figure.of(span, leader.past[nth] as SpanOfCoin))),
    // An hour has no hours to compare.
    tape: endMs - startMs < 48 * HOUR_MS ? minuteValue(figure, tape) : null,
    future: written(figure.of(future, leader.future)),
  })
  return {
    name,
    mood,
    recording,
    coins: Object.fromEntries(
      spans.map((one) => [
        one.coin,
        Object.fromEntries(SPAN_FIGURES.map((figure) => [figure.id, valuesOf(one, figure)])),
      ]),
    ),
  }
}

const MINUTE_FIGURES = new Set(['minute-volume', 'opens', 'turnover'])
const minuteValue = (figure: SpanFigure, span: SpanOfCoin): number | null =>
  MINUTE_FIGURES.has(figure.id) ? written(figure.of(span, span)) : null

/** Significant digits, which survive writing and reading. */
const DIGITS = 5
const written = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null

/** A figure over all worlds of one tape and no mood, and whether the future is that of the past. */
export interface Comparison {
  recording: string | null
  coin: string
  figure: SpanFigure
  past: Percentiles
  tape: Percentiles
  future: Percentiles
  /** Where the future may be: the past's and the real months' values with their spread. */
  allowed: Range
  holds: boolean
}

/** 10th, 50th and 90th percentile; null without values. */
export type Percentiles = readonly [number, number, number] | null

/**
 * Compares the futures of worlds with their pasts. The middle of the futures has to be among the
 * pasts and the real months, each single one within half of their distance beyond.
 */
export function comparisonsOf(worlds: readonly WorldSpans[]): Comparison[] {
  const calm = worlds.filter(({ mood }) => mood === null)
  const tapes = Map.groupBy(calm, ({ recording }) => recording)
  return [...tapes].flatMap(([recording, list]) => comparisonsOfTape(recording, list))
}

function comparisonsOfTape(recording: string | null, calm: readonly WorldSpans[]): Comparison[] {
  const coins = [...new Set(calm.flatMap((world) => Object.keys(world.coins)))]
  return coins.flatMap((coin) =>
    SPAN_FIGURES.flatMap((figure) => {
      const values = calm.flatMap((world) => world.coins[coin]?.[figure.id] ?? [])
      const past = known(values.flatMap((one) => one.past))
      const future = known(values.map((one) => one.future))
      if (past.length === 0 || future.length === 0) return []
      const allowed = allowedOf(past, realOf(figure, coin))
      return [
        {
          recording,
          coin,
          figure,
          past: percentiles(past),
          tape: percentiles(known(values.map((one) => one.tape))),
          future: percentiles(future),
          allowed,
          holds: isAllowed(future, allowed),
        },
      ]
    }),
  )
}

/** Figures of shape in markets of a mood that leave the range of all pasts, as text. */
export function moodFlaws(worlds: readonly WorldSpans[]): string[] {
  const comparisons = comparisonsOf(worlds)
  return worlds
    .filter(({ mood }) => mood !== null)
    .flatMap(({ name, coins }) =>
      comparisons
        .filter(({ figure, recording }) => figure.isShape && recording === null)
        .flatMap(({ coin, figure, allowed }) => {
          const value = coins[coin]?.[figure.id]?.future ?? null
          if (value === null || isAllowed([value], allowed)) return []
          return [`${name}: ${coin}, ${figure.title}: ${value}`]
        }),
    )
}

/** Least and greatest of a figure in real months of a coin; undefined where none is known. */
export const realOf = ({ real }: SpanFigure, coin: string): Range | undefined =>
  real[coin] ?? real['*']

function allowedOf(past: readonly number[], real: Range | undefined): Required<Range> {
  const all = [...past, ...known([real?.min ?? null, real?.max ?? null])]
  // Few pasts say little of how far months differ.
  const spread = all.length < 3 ? 0.25 * Math.abs(all[0] ?? 0) : 0
  return { min: Math.min(...all) - spread, max: Math.max(...all) + spread }
}

function isAllowed(future: readonly number[], { min = -Infinity, max = Infinity }: Range): boolean {
  const beyond = (max - min) / 2
  const middle = quantile(future, 0.5)
  const single = future.every((value) => value >= min - beyond && value <= max + beyond)
  return single && (future.length < 3 || (middle >= min && middle <= max))
}

const known = (values: readonly (number | null)[]): number[] =>
  values.filter((value): value is number => value !== null)

function percentiles(values: readonly number[]): Percentiles {
  if (values.length === 0) return null
  const [low, middle, high] = [0.1, 0.5, 0.9].map((part) => quantile(values, part))
  return [low as number, middle as number, high as number]
}
