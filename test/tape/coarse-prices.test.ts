/** Coins whose price is only a few ticks. */
import { expect, test } from 'bun:test'
import type { MarketOpening } from '../../src/market/synth/local-conditions.ts'
import { openSynthesiser, Synthesiser } from '../../src/market/synth/synthesiser.ts'
import { INSTRUMENT_PROFILES } from '../../src/tape/synth/listing.ts'

const START_MS = Date.UTC(2026, 0, 15, 12)
const STEPS = 3000
const NO_WANDERING = { key: 'coarse', sinceMs: START_MS }

/** A market that opens at so many ticks, without a book. */
function openingAt(lastPx: number, kind: 'perp' | 'spot'): MarketOpening {
  const [usual] = INSTRUMENT_PROFILES
  if (!usual) throw new Error('there are no profiles')
  const profile = { ...usual, coin: `C${lastPx}`, kind, pxDecimals: 0, startPx: lastPx }
  const book = { bids: [], asks: [] }
  return { profile, book, lastPx, oraclePx: lastPx, premium: 0, openInterestLots: 1000 }
}

for (const kind of ['perp', 'spot'] as const)
  test(`a ${kind} market continues where its price is only a few ticks`, () => {
    const openings = [1, 2, 3, 5, 8, 12, 20, 40].map((px) => openingAt(px, kind))
    const synthesiser = new Synthesiser(openSynthesiser('coarse', START_MS, openings, NO_WANDERING))
    const traded = new Set<string>()
    for (let step = 0; step < STEPS; step++) {
      if (step % 300 === 0)
        for (const { profile } of openings)
          for (const side of ['A', 'B'] as const)
            synthesiser.submit({ coin: profile.coin, side, lots: 1e12, tag: 1 })
      for (const event of synthesiser.step())
        if (event.kind === 'trade') {
          traded.add(event.coin)
          expect(event.px).toBeGreaterThan(0)
        } else if (event.kind === 'mark') expect(event.mark).toBeGreaterThan(0)
    }
    expect(traded.size).toBe(openings.length)
  })
