import type { Database } from 'bun:sqlite'
import { positionSections } from '../../casting/writing/packed-rows.ts'
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
    rewrite(db, name, (section) => {
      let rows = section.length / width
      while (rows > 0 && (section.data[section.first + (rows - 1) * width] ?? 0) > atMs) rows--
      return valuesOf(section, 0, rows * width)
    })
  rewrite(db, 'firsts', (section) => {
    const values = valuesOf(section, 0, section.length)
    const isKept = (at: number) => (values[at - (at % 2) + 1] ?? 0) <= atMs
    return values.filter((_, at) => isKept(at))
  })
  let liquidations = 0
  rewrite(db, 'liquidations', (section) => {
    // The first column has their times.
    if (section.key === 0)
      liquidations = valuesOf(section, 0, section.length).filter((ms) => ms <= atMs).length
    return valuesOf(section, 0, liquidations)
  })
  put(db, 'positions', 0, positionSections(db))
}

function rewrite(
  db: Database,
  name: PackedName,
  cut: (section: UnpackedSection) => number[],
): void {
  const rows = db.query<{ key: number; columns: Uint8Array }, [string]>(
    'select key, columns from packed where name = ?',
  )
  for (const { key, columns } of rows.all(name)) {
    const before = unpackSections(columns)
    const sections = before.map((section) => {
      return { key: section.key, fact: section.fact, values: cut(section) }
    })
    if (sections.every(({ values }, at) => values.length === before[at]?.length)) continue
    put(db, name, key, isColumns(name) ? sections : sections.filter(hasRows))
  }
}

/** Sections of columns are there without rows, too. */
const isColumns = (name: PackedName) => name === 'liquidations' || name === 'firsts'
const hasRows = ({ values }: PackedSection) => values.length > 0

function put(db: Database, name: PackedName, key: number, sections: PackedSection[]): void {
  if (sections.length === 0)
    db.query('delete from packed where name = ? and key = ?').run(name, key)
  else
    db.query('insert or replace into packed values (?, ?, ?)').run(
      ...[name, key, packSections(sections)],
    )
}

const valuesOf = ({ data, first }: UnpackedSection, from: number, to: number) =>
  Array.from(data.subarray(first + from, first + to))
