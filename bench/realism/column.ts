import { FIGURE_GROUPS } from './figures/all-figures.ts'
import { type Seam, seamsOf } from './figures/seam-figures.ts'
import type { Observations } from './observations.ts'

/** The figures of one market. */
export interface Column {
  name: string
  /** By the id of the figure; null for unobserved ones. */
  values: Record<string, number | null>
  seams: { name: Seam['name']; trades: number | null; dollars: number | null }[]
}

/** Significant digits, which survive writing and reading. */
const DIGITS = 5

/** All figures of a market. */
export function columnOf(name: string, seen: Observations): Column {
  const figures = FIGURE_GROUPS.flatMap((group) => group.figures)
  return {
    name,
    values: Object.fromEntries(figures.map(({ id, of }) => [id, writable(of(seen))])),
    seams: seamsOf(seen).map((seam) => ({
      name: seam.name,
      trades: writable(seam.trades),
      dollars: writable(seam.dollars),
    })),
  }
}

function writable(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null
}
