/** Fills of a TWAP, and fills that a builder brought in. */

import { sql } from 'drizzle-orm'
import type { TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  AddressFill,
  BuilderFill,
  Fill,
  SliceFill,
} from '../../../../contract/records/fill.ts'
import { type Usd, usd } from '../../../../decimal/quantity.ts'
import { columns } from '../../../rows/columns.ts'
import {
  FROM_TRADED_FILLS,
  fillRecords,
  SIMPLE_FILL_SELECT,
  type SimpleFill,
  TRADED_FILL_SELECT,
} from '../../../rows/fill-rows.ts'
import { inPages, LAST_ID } from '../../../rows/row-pages.ts'
import {
  builder,
  type InstrumentRow,
  MONEY_DECIMALS,
  pxText,
  szText,
} from '../../../schema/schema.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'

/** Oldest first, in the form that the question `twap-fill-form` says. */
export function fillsOfTwap(
  world: World,
  { atMs, answers }: Moment,
  twap: number,
): SliceFill[] | Fill[] | AddressFill[] {
  if (!Number.isSafeInteger(twap)) return []
  const { slices, wholeSlices } = statements(world)
  const { simple, address } = fillRecords(world)
  if (answers['twap-fill-form'] === 'native') return wholeSlices.all(twap, atMs).map(address)
  const rows = slices.all(twap, atMs)
  if (answers['twap-fill-form'] === 'simple') return rows.map(simple)
  return rows.map((row) => sliceFill(world, row, twap))
}

function sliceFill({ instruments }: World, row: SimpleFill, twapId: number): SliceFill {
  const { instrument, timeMs: time, side, px, sz } = row
  const of = instruments[instrument] as InstrumentRow
  return { coin: of.coin, side, px: pxText(of, px), sz: szText(of, sz), time, twapId }
}

/** Newest first; worth at least `minUsd`. */
export function* fillsOfBuilder(
  world: World,
  { atMs, answers }: Moment,
  builder: string,
  query: { coin?: string | undefined; minUsd: number; limit: number },
): Slices<BuilderFill[]> {
  const { brought, builders } = statements(world)
  const id = builders.get(builder.toLowerCase())
  const instrument = query.coin === undefined ? null : world.byCoin.get(query.coin)
  if (id === undefined || instrument === undefined) return []
  const only = instrument?.id ?? null
  const least = usd(query.minUsd * 10 ** MONEY_DECIMALS)
  const { address } = fillRecords(world)
  const isWhole = answers['builder-fill-ids'] === 'present'
  const fills: BuilderFill[] = []
  const start = { timeMs: atMs, id: LAST_ID }
  const pages = inPages(start, query.limit, (after, count) =>
    brought.all(id, after.timeMs, after.id, only, least, count),
  )
  for (const rows of pages) {
    for (const row of rows) {
      const { builderFee = '0.0', tid, twapId, ...fill } = address(row)
      fills.push(isWhole ? { ...fill, tid, twapId, builderFee } : { ...fill, builderFee })
    }
    yield
  }
  return fills
}

const BUILDER = columns({ address: sql<string>`lower(${builder.address})`, id: builder.id })

const statements = perWorld(({ db }) => {
  const builders = BUILDER.prepare<[]>(db, 'from builder').all()
  const slices = 'where f.twap = ? and f.timeMs <= ? order by f.timeMs, f.id'
  return {
    builders: new Map(builders.map(({ address, id }) => [address, id])),
    slices: SIMPLE_FILL_SELECT.prepare<[twap: number, atMs: TapeMs]>(db, `from fill f ${slices}`),
    wholeSlices: TRADED_FILL_SELECT.prepare<[twap: number, atMs: TapeMs]>(
      db,
      `${FROM_TRADED_FILLS} ${slices}`,
    ),
    brought: TRADED_FILL_SELECT.prepare<
      [
        builder: number,
        afterMs: TapeMs,
        afterId: number,
        instrument: number | null,
        least: Usd,
        limit: number,
      ]
    >(
      db,
      `${FROM_TRADED_FILLS} where f.builder = ?1 and f.timeMs <= ?2
       and (f.timeMs < ?2 or f.id < ?3) and (?4 is null or f.instrument = ?4) and f.notional >= ?5
       order by f.timeMs desc, f.id desc limit ?6`,
    ),
  }
})
