/** What is kept of a journal in the page: the newest entries, and refusals for longer. */
import type { JournalEntry } from '../../../clients/control/records.ts'
import { isRefused } from './filter.ts'

/** Of so many entries that are kept at most these may be refusals older than the others. */
const LASTING_SHARE = 0.05

/**
 * The newest of some entries, oldest first. Pushes come in thousands, and what was refused is what
 * somebody looks for: refusals that are older than the others make room last.
 *
 * @param max how many are kept
 */
export function keptEntries(
  entries: readonly JournalEntry[],
  max: number,
): readonly JournalEntry[] {
  if (entries.length <= max) return entries
  const lastingMax = Math.floor(max * LASTING_SHARE)
  const lasting = entries
    .slice(0, lastingMax - max)
    .filter(isRefused)
    .slice(-lastingMax)
  const newest = entries.slice(lasting.length - max)
  const first = newest[0]?.seq ?? 0
  return [...lasting.filter(({ seq }) => seq < first), ...newest]
}

/** Two stretches of a journal as one, in order, each entry once. */
export function merged(
  some: readonly JournalEntry[],
  others: readonly JournalEntry[],
): JournalEntry[] {
  const known = new Map([...some, ...others].map((entry) => [entry.seq, entry]))
  return [...known.values()].sort((a, b) => a.seq - b.seq)
}
