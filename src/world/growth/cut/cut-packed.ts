import { positionSections } from '../../casting/writing/packed-rows.ts'
import type { Database } from '../../database.ts'
import {
  type PackedName,
  type PackedSection,
  packSections,
  type UnpackedSection,
  unpackSections,
} from '../../schema/packed-sections.ts'

/** Values in a row of what is packed in order of time, the time first. */
const WIDTHS = { cash: 2, deposits: 2, holdings: 6, prices: 2 } as const

/** Takes away what is packed of later than an instant; the table of positions is cut. */
export function cutPacked(db: Database, atMs: number): void {
  for (const [name, width] of Object.entries(WIDTHS) as [PackedName, number][])
    cutSections(db, name, (section) => lengthUpTo(section, width, atMs))
  cutFirsts(db, atMs)
  cutLiquidations(db, atMs)
  put(db, 'positions', 0, positionSections(db))
}

/** Shortens sections to so many values; those without any are not there. */
function cutSections(
  db: Database,
  name: PackedName,
  lengthOf: (section: UnpackedSection) => number,
): void {
  const rows = db.query<{ key: number; columns: Uint8Array }, [string]>(
    'select key, columns from packed where name = ?',
  )
  for (const { key, columns } of rows.all(name)) {
    const sections = unpackSections(columns)
    const lengths = sections.map(lengthOf)
    if (sections.every(({ length }, at) => length === lengths[at])) continue
    const shortened = sections.map((section, at) => shortenedTo(section, lengths[at] as number))
    const left = shortened.filter(({ values }) => values.length > 0)
    put(db, name, key, left)
  }
}

/** How many values the rows up to an instant have. */
function lengthUpTo({ data, first, length }: UnpackedSection, width: number, atMs: number): number {
  let left = length
  while (left > 0 && (data[first + left - width] as number) > atMs) left -= width
  return left
}

function cutFirsts(db: Database, atMs: number): void {
  for (const section of sectionsOf(db, 'firsts')) {
    const { values, key, fact } = shortenedTo(section, section.length)
    const isKept = (at: number) => (values[at - (at % 2) + 1] as number) <= atMs
    put(db, 'firsts', 0, [{ key, fact, values: values.filter((_, at) => isKept(at)) }])
  }
}

/** Columns are there without rows, too; the first one has the times. */
function cutLiquidations(db: Database, atMs: number): void {
  const sections = sectionsOf(db, 'liquidations')
  const [times] = sections
  if (!times) return
  const length = lengthUpTo(times, 1, atMs)
  const shortened = sections.map((section) => shortenedTo(section, length))
  put(db, 'liquidations', 0, shortened)
}

function sectionsOf(db: Database, name: PackedName): UnpackedSection[] {
  const row = db
    .query<{ columns: Uint8Array }, [string]>('select columns from packed where name = ?')
    .get(name)
  return row ? unpackSections(row.columns) : []
}

const shortenedTo = (
  { key, fact, data, first }: UnpackedSection,
  length: number,
): PackedSection => {
  return { key, fact, values: Array.from(data.subarray(first, first + length)) }
}

function put(db: Database, name: PackedName, key: number, sections: PackedSection[]): void {
  const where = [name, key] as const
  if (sections.length === 0) db.query('delete from packed where name = ? and key = ?').run(...where)
  else
    db.query('insert or replace into packed values (?, ?, ?)').run(...where, packSections(sections))
}
