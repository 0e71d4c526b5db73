import { UserError } from '../../../user-error.ts'
import type { Level } from '../../tape-event.ts'
import { type Field, type MappedRecord, pathOf, textOf, valueAt } from './field-access.ts'
import type { MappedContext } from './mapped-context.ts'
import type { SideMapping } from './mapping.ts'

type Levels = (record: MappedRecord, coin: string) => Level[]
/** One level as it is written. */
type Written = readonly [px: string | null, sz: string | null, orders: string | null]

/** More columns than any file has for a side of a book. */
const LEVELS_MAX = 5_000

/**
 * Reads one side of a book, from the best: out of columns with a number in their names, or out of a
 * list. A level without a price is none. Of a full book those of size 0 are none either.
 */
export function sideLevels(
  context: Pick<MappedContext, 'mapping' | 'access' | 'numbers'>,
  side: 'bids' | 'asks',
  changes: boolean,
): Levels {
  const { mapping, numbers } = context
  const written = writtenLevels(context, mapping[side] ?? {}, side)
  const direction = side === 'bids' ? -1 : 1
  return (record, coin) => {
    const levels = new Map<string, Level>()
    for (const [pxText, szText, orders] of written(record)) {
      if (pxText === null) continue
      const px = numbers.px(coin, pxText, mapping)
      const sz = numbers.sz(coin, szText, px, mapping)
      const count = orders !== null && /^\d{1,9}$/.test(orders) ? Number(orders) : 1
      if (sz !== '0') levels.set(px, [px, sz, count])
      else if (changes) levels.set(px, [px, sz, 0])
    }
    return [...levels.values()].sort(([a], [b]) => direction * (Number(a) - Number(b)))
  }
}

function writtenLevels(
  { access }: Pick<MappedContext, 'access'>,
  { list, px, sz, orders, from }: SideMapping,
  side: string,
): (record: MappedRecord) => readonly Written[] {
  if (px === undefined || sz === undefined)
    throw new UserError(`has ${side} of which the mapping does not say px and sz`)
  if (list !== undefined) {
    const levels = access.list(list)
    const paths = [px, sz, orders ?? ''].map(pathOf)
    const told = (level: unknown): Written =>
      paths.map((path) => textOf(valueAt(level, path))) as unknown as Written
    return (record) => levels(record).map(told)
  }
  const columns: (readonly [Field, Field, Field])[] = []
  const named = (pattern: string | number, n: number) => String(pattern).replaceAll('{n}', `${n}`)
  const start = from ?? (access.has(named(px, 0)) ? 0 : 1)
  for (let n = start; n < start + LEVELS_MAX && access.has(named(px, n)); n++) {
    const count = orders === undefined ? () => null : access.field(named(orders, n))
    columns.push([access.field(named(px, n)), access.field(named(sz, n)), count])
    if (!String(px).includes('{n}')) break
  }
  // Says which columns there are.
  if (columns.length === 0) access.field(named(px, start))
  return (record) => columns.map(([one, two, three]) => [one(record), two(record), three(record)])
}
