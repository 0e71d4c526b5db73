/** A world from the clients' view: everything is read through the facts that operations use. */
import type { TapeMs } from '../../../src/clock/instant.ts'
import type { Facts } from '../../../src/contract/facts.ts'
import { DEFAULT_ANSWERS } from '../../../src/contract/questions.ts'
import type { LoadedWorld } from '../../../src/sandbox/loaded-world.ts'
import { DAY_MS } from '../bars.ts'
import type { Observations } from '../observations.ts'
import { accountsOf, addressesOf } from './accounts.ts'
import { hourlyOpenInterest, minutesOf } from './candles.ts'
import { closingSizesOf, closingsOf, positionsOf } from './closings.ts'
import { otherMarketOf } from './exchanges.ts'
import { flowOf } from './flow.ts'
import { fundingOf } from './funding.ts'
import { quotedOf } from './quoted.ts'
import { sliceGapsOf } from './twaps.ts'

const HISTORY_MS = 30 * DAY_MS

/** Observations at the end of the tape, and during it. */
export function observationsOf(world: LoadedWorld): Observations {
  const { startMs, endMs } = world.timeline
  const at = (atMs: number) => factsAt(world, atMs)
  const facts = at(endMs)
  const [main, builders] = [perpetualsOf(facts, ''), perpetualsOf(facts, 'xyz')]
  const coins = [...main, ...builders].filter((coin) => facts.market.ticker(coin) !== null)
  const fromMs = startMs - HISTORY_MS
  const byCoin = <T>(read: (coin: string) => T) => new Map(coins.map((coin) => [coin, read(coin)]))
  const addresses = addressesOf(facts)
  const { prints, tops, near } = flowOf(world.timeline, coins, at)
  return {
    startMs,
    endMs,
    minutes: byCoin((coin) => minutesOf(facts, coin, fromMs)),
    stocks: new Set(builders),
    funding: byCoin((coin) => fundingOf(facts, coin, fromMs)),
    interest: byCoin((coin) => hourlyOpenInterest(facts, coin)),
    closings: byCoin((coin) => closingsOf(facts, coin, fromMs)),
    closingSizes: coins.flatMap((coin) => closingSizesOf(facts, coin)),
    positions: positionsOf(facts, addresses),
    accounts: accountsOf(facts, addresses),
    sliceGapsS: sliceGapsOf(facts, addresses),
    prints,
    tops,
    near,
    elsewhere: otherMarketOf(facts, coins[0] ?? '', fromMs),
    quoted: quotedOf(facts, coins[0] ?? ''),
  }
}

function perpetualsOf(facts: Facts, dex: string): string[] {
  return facts.venue.meta(dex)?.universe.map(({ name }) => name) ?? []
}

/** Shown times are tape times, so that the figures are reproducible. */
function factsAt(world: LoadedWorld, atMs: number): Facts {
  return world.facts({ atMs: atMs as TapeMs, shiftMs: 0, answers: DEFAULT_ANSWERS })
}
