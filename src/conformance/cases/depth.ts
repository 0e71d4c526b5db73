import type { Case } from '../case.ts'
import { somePair } from '../finding-out.ts'
import { climbs, isNear } from '../judging.ts'
import type { Probe } from '../probe.ts'
import { isSuccess, type Row, rowOf, settled } from '../reading.ts'

/** Books over REST (spec, Depth snapshot and Depth rules). */
export const DEPTH_CASES: readonly Case[] = [
  {
    id: 'depth.order',
    title: 'asks rise and bids fall by price, and do not cross',
    checks: ['record.depth.order', 'record.fullDepth.order'],
    run: async (probe: Probe) => {
      for (const path of [LATEST, FULL]) {
        const { bids, asks } = await sides(probe, path)
        probe.hold(climbs(firsts(asks)), `asks of ${path} rise by price`)
        probe.hold(climbs(firsts(bids).reverse()), `bids of ${path} fall by price`)
        const [bid, ask] = [firsts(bids)[0] ?? 0, firsts(asks)[0] ?? Infinity]
        probe.hold(bid < ask, `the best bid of ${path} is below its best ask`)
      }
    },
  },
  {
    id: 'depth.latest.fields',
    title: 'latest-depth counts its levels, says when it was read, success and 1',
    checks: ['record.depth.length', 'record.depth.now', 'record.depth.result'],
    run: async (probe: Probe) => {
      const { row, bids, asks } = await sides(probe, LATEST, { size: 7 })
      probe.hold(row.length === bids.length + asks.length, 'length counts both sides')
      const written = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(String(row.now))
      probe.hold(written, 'now is written YYYY-MM-DD HH:mm:ss')
      probe.hold(row.result === 'success', 'result is success')
      probe.hold(row.ds === 1, 'ds is the number 1')
    },
  },
  {
    id: 'depth.latest.size',
    title: 'size is how many levels a side latest-depth gives, 500 at most',
    checks: ['limit.depthSize'],
    run: async (probe: Probe) => {
      for (const size of [1, 5, 500, 501, 100_000]) {
        const { bids, asks } = await sides(probe, LATEST, { size })
        const most = Math.min(size, 500)
        probe.hold(bids.length <= most && asks.length <= most, `size ${size} gives at most ${most}`)
        probe.hold(size > 5 || bids.length === size, `size ${size} gives ${size} where there are`)
      }
    },
  },
  {
    id: 'depth.newest',
    title: 'latest-depth and full-depth are of the same book: their best prices agree',
    checks: ['depth.latest.newest'],
    run: (probe: Probe) =>
      settled(probe, async () => {
        const full = await sides(probe, FULL)
        const latest = await sides(probe, LATEST, { size: 1 })
        if (full.bids.length === 0) probe.skip('the book is empty')
        const isSame =
          firsts(full.bids)[0] === firsts(latest.bids)[0] &&
          firsts(full.asks)[0] === firsts(latest.asks)[0]
        return isSame ? null : 'latest-depth and full-depth have the same best prices'
      }),
  },
  {
    id: 'depth.grouped',
    title: 'grouped depth sums what lies from the start of an interval to before its end',
    checks: ['depth.grouped.intervals', 'depth.grouped.sums', 'depth.grouped.order'],
    run: async (probe: Probe) => {
      const { asks } = await sides(probe, FULL)
      const groupSize = roundSize(firsts(asks)[0] ?? probe.skip('the book is empty'))
      await settled(probe, async () => {
        const full = await sides(probe, FULL)
        const grouped = await sides(probe, GROUPED, { groupSize })
        probe.hold(grouped.row.groupSize === groupSize, 'groupSize is the one that was asked for')
        return groupedFlaw(full, grouped, groupSize)
      })
    },
  },
  {
    id: 'depth.group-size',
    title: 'grouped depth needs a groupSize above 0',
    checks: ['depth.groupSize'],
    run: async (probe: Probe) => {
      const dbKey = await somePair(probe)
      for (const query of [{}, { groupSize: 0 }, { groupSize: -5 }, { groupSize: 'wide' }]) {
        const answer = await probe.ask({ path: GROUPED, query: { dbKey, ...query } })
        probe.hold(!isSuccess(answer), `${JSON.stringify(query)} is refused`)
        probe.hold(answer.status < 500, `${JSON.stringify(query)} is no fault of the service`)
      }
      const half = await probe.ask({ path: GROUPED, query: { dbKey, groupSize: 0.5 } })
      probe.hold(isSuccess(half), 'a fraction is a groupSize')
    },
  },
]

const LATEST = '/futures/latest-depth'
const FULL = '/futures/full-depth'
const GROUPED = '/futures/full-depth/grouped'

type Level = readonly string[]

interface Sides {
  row: Row
  bids: Level[]
  asks: Level[]
}

async function sides(probe: Probe, path: string, more = {}): Promise<Sides> {
  const query = { dbKey: await somePair(probe), ...more }
  const row = await rowOf(probe, { path, query })
  for (const side of ['bids', 'asks'])
    probe.hold(
      Array.isArray(row[side]) && (row[side] as unknown[]).every(Array.isArray),
      `${side} of ${path} are a list of lists`,
    )
  return { row, bids: row.bids as Level[], asks: row.asks as Level[] }
}

const firsts = (levels: readonly Level[]) => levels.map(([price]) => Number(price))

/** About a thousandth of a price, as one digit. */
function roundSize(price: number): number {
  return 10 ** Math.max(-4, Math.floor(Math.log10(price / 1000)))
}

/** What is amiss in a grouped book, by the book that it was made from. */
function groupedFlaw(full: Sides, grouped: Sides, groupSize: number): string | null {
  for (const side of ['bids', 'asks'] as const) {
    const starts = firsts(grouped[side])
    if (!climbs(side === 'asks' ? starts : [...starts].reverse()))
      return `the intervals of ${side} are in order`
    for (const level of grouped[side]) {
      const [start = 0, end = 0, sum] = level.map(Number)
      if (level.length !== 3) return 'a level is start, end and total'
      if (!isNear(end - start, groupSize, 1e-9, 1e-9)) return 'an interval is groupSize wide'
      const inside = full[side].filter(([px]) => Number(px) >= start && Number(px) < end)
      const right = inside.reduce((total, [, sz]) => total + Number(sz), 0)
      if (!isNear(right, sum, 1e-9, 1e-9)) return `[${start}, ${end}) of ${side} sums to ${right}`
    }
    const held = grouped[side].reduce((total, [, , sz]) => total + Number(sz), 0)
    const all = full[side].reduce((total, [, sz]) => total + Number(sz), 0)
    if (!isNear(held, all, 1e-6, 1e-6)) return `the intervals of ${side} hold all levels`
  }
  return null
}
