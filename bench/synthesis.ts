/**
 * Benchmark of continuing the eleven markets of the default tape, in multiples of real time,
 * against the minimum for such markets: a few random numbers per market and step.
 */
import { STEP_MS } from '../src/market/synth/market-conditions.ts'
import { newSynthesiser, Synthesiser } from '../src/market/synth/synthesiser.ts'
import { randomSource } from '../src/random/random-source.ts'
import { INSTRUMENT_PROFILES } from '../src/tape/synth/listing.ts'
import { medianMs, row } from './measure/result-row.ts'

const SPAN_MS = 30 * 60_000
const STEPS = SPAN_MS / STEP_MS
/** For a price, its volatility and its order flow. */
const NUMBERS = 5

const state = newSynthesiser(1, Date.UTC(2026, 0, 15, 12), INSTRUMENT_PROFILES, { mood: null })
const synthesiser = new Synthesiser(state)
const random = randomSource(1, 'bare')

function synthesised(): void {
  for (let step = 0; step < STEPS; step++) synthesiser.step()
}

function bare(): number {
  let sum = 0
  for (let number = 0; number < STEPS * INSTRUMENT_PROFILES.length * NUMBERS; number++)
    sum += random.normal()
  return sum
}

const timesReal = (tookMs: number) => SPAN_MS / tookMs
const value = timesReal(await medianMs(synthesised))
const baseline = timesReal(await medianMs(bare))
row({ name: 'going on with eleven markets', value, baseline, unit: 'x real time' })
