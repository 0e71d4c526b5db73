/** Listings of the venue: perpetuals, spot pairs, tokens, and their mid prices. */

import { sql } from 'drizzle-orm'
import type { TapeMs } from '../../../../clock/instant.ts'
import type { VenueFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { Meta, SpotMeta } from '../../../../contract/records/asset-context.ts'
import type { Static } from '../../../../contract/schema.ts'
import { add, format, raw, times } from '../../../../decimal/quantity.ts'
import { randomSource } from '../../../../random/random-source.ts'
import { bestPrices } from '../../../books/book-cache.ts'
import { bigintText, NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { assetOf } from '../../../rows/assets.ts'
import { columns } from '../../../rows/columns.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { lastPx } from '../../../rows/trade-rows.ts'
import { type InstrumentRow, ledger, MONEY_DECIMALS } from '../../../schema/schema.ts'
import { perListing, perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

type Token = Static<typeof SpotMeta>['tokens'][number]

export class VenueQueries implements VenueFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  dexNames(): readonly string[] {
    return dexNamesOf(this.world)
  }

  meta(dex: string): Static<typeof Meta> | null {
    const listed = this.world.listed.filter((one) => one.kind === 'perp' && one.dex === dex)
    if (listed.length === 0 && dex !== '') return null
    const perps = listed.toSorted((a, b) => a.asset - b.asset)
    const leverages = [...new Set(perps.map((one) => one.maxLeverage))].sort((a, b) => b - a)
    return {
      universe: perps.map(({ szDecimals, coin, maxLeverage }) => ({
        szDecimals,
        name: coin,
        maxLeverage,
        // The venue numbers single-tier tables by their leverage.
        marginTableId: maxLeverage,
      })),
      marginTables: leverages.map((maxLeverage) => [
        maxLeverage,
        { description: '', marginTiers: [{ lowerBound: '0.0', maxLeverage }] },
      ]),
      collateralToken: 0,
    }
  }

  spotMeta(): Static<typeof SpotMeta> {
    const pairs = this.world.listed
      .filter(({ kind }) => kind === 'spot')
      .toSorted((a, b) => a.asset - b.asset)
    return {
      universe: pairs.map(({ coin, baseToken, quoteToken, asset }) => ({
        tokens: [baseToken ?? 0, quoteToken ?? 0],
        name: coin,
        index: asset,
        // Only canonical pairs are named; others are numbered.
        isCanonical: coin.includes('/'),
      })),
      tokens: tokensOf(pairs),
    }
  }

  allMids(dex: string): Record<string, string> {
    const mids: Record<string, string> = {}
    for (const instrument of this.world.listed) {
      if (instrument.dex !== dex) continue
      const mid = this.mid(instrument)
      if (mid !== null) mids[instrument.coin] = mid
    }
    return mids
  }

  netDeposits(dex: string): string {
    const { dollars = 0, rest = 0 } = statements(this.world).get(dex, this.moment.atMs) ?? {}
    return bigintText(BigInt(dollars) * MICRO + BigInt(rest), MONEY_DECIMALS, NATIVE_DECIMALS)
  }

  /** Mid price; the last price while a side is empty, or the mark price. */
  private mid(instrument: InstrumentRow): string | null {
    const { bid, ask } = bestPrices(this.world, instrument, this.moment.atMs)
    const both = bid !== null && ask !== null
    const { world, moment } = this
    const { atMs } = moment
    const last = both ? null : (lastPx(world, instrument, atMs) ?? markPx(world, instrument, atMs))
    const twice = both ? add(bid, ask) : last && times(last, 2)
    // Half a price unit needs one more decimal, a five.
    return twice === null
      ? null
      : format(5 * raw(twice), instrument.pxDecimals + 1, NATIVE_DECIMALS)
  }
}

/** Apart, so that the sums of any number of accounts are exact. */
const DEPOSITS = columns({
  dollars: sql<number>`coalesce(sum(${ledger.usd} / 1000000), 0)`,
  rest: sql<number>`coalesce(sum(${ledger.usd} % 1000000), 0)`,
})
const MICRO = 10n ** BigInt(MONEY_DECIMALS)

const statements = perWorld(({ db }) =>
  DEPOSITS.prepare<[dex: string, atMs: TapeMs]>(
    db,
    `from ledger where account in (select id from account where dex = ?) and timeMs <= ?`,
  ),
)

function tokensOf(pairs: readonly InstrumentRow[]): Token[] {
  const tokens = new Map<number, Token>([[0, token('USDC', 0, 8, true)]])
  for (const { base, baseToken, quote, quoteToken, szDecimals, coin } of pairs) {
    if (quoteToken !== null && !tokens.has(quoteToken))
      tokens.set(quoteToken, token(quote, quoteToken, 8, true))
    if (baseToken !== null && !tokens.has(baseToken))
      tokens.set(baseToken, token(base, baseToken, szDecimals, coin.includes('/')))
  }
  return [...tokens.values()].sort((a, b) => a.index - b.index)
}

function token(name: string, index: number, szDecimals: number, isCanonical: boolean): Token {
  return {
    name,
    szDecimals,
    // The chain keeps five digits more than trading does; dollars have eight in both places.
    weiDecimals: name === 'USDC' ? szDecimals : szDecimals + 5,
    index,
    tokenId: `0x${randomSource(name, 'token').hex(32)}`,
    isCanonical,
    evmContract: null,
    fullName: assetOf(name).enName,
    deployerTradingFeeShare: '0.0',
  }
}

const dexNamesOf = perListing(({ listed }) => [
  ...new Set(['', ...listed.filter(({ kind }) => kind === 'perp').map(({ dex }) => dex)]),
])
