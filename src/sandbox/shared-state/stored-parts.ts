/** The form in which a sandbox lies in Redis: its parts by field, and its counts. */
import type { Sandbox } from '../sandbox.ts'
import type { SandboxState } from '../snapshot/sandbox-state.ts'
import {
  type PartKind,
  STATE_PARTS,
  savedProgressOf,
  stateOfParts,
} from '../snapshot/state-parts.ts'
import type { SavedProgress } from '../snapshot/state-schema.ts'
import type { PartChange } from './part-application.ts'

/** The stored parts by field, each with its number in the order of creation. */
export type StoredParts = Map<string, { order: number; text: string }>

/** Its parts, in order of creation, each with the field that it is stored under. */
export function partsOf(sandbox: Sandbox): StoredParts {
  const parts: StoredParts = new Map()
  const put = (field: string, value: unknown) =>
    parts.set(field, { order: parts.size, text: JSON.stringify(value) })
  for (const kind of Object.keys(STATE_PARTS) as PartKind[]) {
    if (kind === 'progress' || kind === 'usage') continue
    for (const id of STATE_PARTS[kind].ids(sandbox)) {
      const value = STATE_PARTS[kind].read(sandbox, id)
      if (value !== undefined) put(`${kind}/${id}`, value)
    }
  }
  for (const [name, value] of Object.entries(savedProgressOf(sandbox)))
    if (value !== undefined) put(`progress/${name}`, value)
  return parts
}

/** The state of stored parts. */
export function storedStateOf(
  parts: StoredParts,
  counts: readonly { name: string; text: string }[] = [],
): SandboxState {
  const sorted = [...parts].sort(([, one], [, other]) => one.order - other.order)
  const progress: Record<string, unknown> = {}
  const stored: { kind: string; value: string }[] = []
  for (const [field, { text }] of sorted) {
    const [kind = '', name = ''] = field.split('/', 2)
    if (kind === 'progress') progress[name] = JSON.parse(text)
    else if (kind !== 'made') stored.push({ kind, value: text })
  }
  stored.push({ kind: 'progress', value: JSON.stringify(progress) })
  for (const { name, text } of counts)
    stored.push({ kind: 'usage', value: JSON.stringify({ name, ...countOf(text) }) })
  const made = JSON.parse(parts.get('made/')?.text ?? '{}')
  return stateOfParts({ ...made, options: JSON.stringify(made.options) }, stored)
}

/** A change of a field. */
export function partChange(field: string, text: string | null): PartChange {
  const at = field.indexOf('/')
  const value = text === null ? null : JSON.parse(text)
  return { kind: field.slice(0, at), id: field.slice(at + 1), value }
}

/** Whether a field of the progress is as it was stored, but for what runs by itself. */
export function isSame(
  name: keyof SavedProgress,
  stored: string,
  now: string,
  sandbox: Sandbox,
): boolean {
  if (stored === now) return true
  if (name === 'clock') {
    const [before, after] = [JSON.parse(stored), JSON.parse(now)] as SavedProgress['clock'][]
    const still = (clock: SavedProgress['clock'] | undefined) =>
      JSON.stringify([clock?.state, clock?.adjustments, clock?.state === 'held' && clock.nowMs])
    return still(before) === still(after)
  }
  if (name !== 'playhead') return false
  const { playhead } = sandbox
  if (playhead.speed !== 'max' && !playhead.isWaiting) return false
  const [before, after] = [JSON.parse(stored), JSON.parse(now)] as SavedProgress['playhead'][]
  const still = (one: SavedProgress['playhead'] | undefined) =>
    JSON.stringify([one?.speed, one?.shiftMs, one?.end])
  return still(before) === still(after)
}

// Counts, as Redis keeps them: `month:inMonth:minute:inMinute`.

interface Count {
  month: number
  inMonth: number
  minute: number
  inMinute: number
}

export const countText = (count: Readonly<Count> | undefined): string =>
  count ? `${count.month}:${count.inMonth}:${count.minute}:${count.inMinute}` : ''

export function countOf(text: string): Count {
  const [month = 0, inMonth = 0, minute = 0, inMinute = 0] = text.split(':').map(Number)
  return { month, inMonth, minute, inMinute }
}
