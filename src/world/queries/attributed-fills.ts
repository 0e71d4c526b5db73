/** Fills of a TWAP, and fills that a builder brought in. */
import type { Moment } from '../../contract/facts.ts'
import type { AddressFill, BuilderFill, Fill, SliceFill } from '../../contract/records/fill.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText } from '../schema.ts'
import type { World } from '../world.ts'
import { FILLS, type FillValues, fillWriter, SIMPLE_FILLS, type SimpleValues } from './fill-rows.ts'
import { perWorld } from './per-world.ts'

/** Oldest first, in the form that the question `twap-fill-form` says. */
export function fillsOfTwap(
  world: World,
  { atMs, answers }: Moment,
  twap: number,
): SliceFill[] | Fill[] | AddressFill[] {
  if (!Number.isSafeInteger(twap)) return []
  const { slices, wholeSlices } = statements(world)
  const { simple, address } = fillWriter(world)
  if (answers['twap-fill-form'] === 'native')
    return (wholeSlices.values(twap, atMs) as FillValues[]).map(address)
  const rows = slices.values(twap, atMs) as SimpleValues[]
  if (answers['twap-fill-form'] === 'simple') return rows.map(simple)
  return rows.map((row) => slice(world, row, twap))
}

function slice({ instruments }: World, row: SimpleValues, twapId: number): SliceFill {
  const [instrument, time, side, px, sz] = row
  const of = instruments[instrument] as InstrumentRow
  return { coin: of.coin, side, px: pxText(of, px), sz: szText(of, sz), time, twapId }
}

/** Newest first; worth at least `minUsd`. */
export function fillsOfBuilder(
  world: World,
  { atMs, answers }: Moment,
  builder: string,
  query: { coin?: string | undefined; minUsd: number; limit: number },
): BuilderFill[] {
  const { brought, builders } = statements(world)
  const id = builders.get(builder.toLowerCase())
  const instrument = query.coin === undefined ? null : world.byCoin.get(query.coin)
  if (id === undefined || instrument === undefined) return []
  const only = instrument?.id ?? null
  const least = query.minUsd * 10 ** MONEY_DECIMALS
  const rows = brought.values(id, atMs, only, only, least, query.limit) as FillValues[]
  const { address } = fillWriter(world)
  const isWhole = answers['builder-fill-ids'] === 'present'
  return rows.map((row) => {
    const { builderFee = '0.0', tid, twapId, ...fill } = address(row)
    return isWhole ? { ...fill, tid, twapId, builderFee } : { ...fill, builderFee }
  })
}

const statements = perWorld(({ db }) => {
  const builders = db.query('select lower(address), id from builder').values() as [string, number][]
  const slices = 'where f.twap = ? and f.timeMs <= ? order by f.timeMs, f.id'
  return {
    builders: new Map(builders),
    slices: db.prepare(`${SIMPLE_FILLS} ${slices}`),
    wholeSlices: db.prepare(`${FILLS} ${slices}`),
    brought: db.prepare(
      `${FILLS} where f.builder = ? and f.timeMs <= ? and (? is null or f.instrument = ?)
       and f.notional >= ? order by f.timeMs desc, f.id desc limit ?`,
    ),
  }
})
