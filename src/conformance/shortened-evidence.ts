/** What is kept of the values that a failure shows: a target may answer megabytes to each case. */
import { isJsonObject } from './parsed-json.ts'

/** Characters in all; a report shows far fewer. */
const LENGTH_MAX = 100_000

/** The value, or as much of its beginning. */
export const shortened = (value: unknown): unknown => cut(value, { left: LENGTH_MAX })

function cut(value: unknown, room: { left: number }): unknown {
  if (typeof value === 'string') return text(value, room)
  if (Array.isArray(value)) {
    const kept: unknown[] = []
    for (const one of value) {
      if (room.left <= 0) return [...kept, `… (${value.length - kept.length} more)`]
      kept.push(cut(one, room))
    }
    return kept
  }
  if (!isJsonObject(value)) {
    room.left -= 8
    return value
  }
  const kept: [string, unknown][] = []
  for (const [name, one] of Object.entries(value)) {
    if (room.left <= 0) return Object.fromEntries([...kept, ['…', 'more']])
    room.left -= name.length
    kept.push([name, cut(one, room)])
  }
  return Object.fromEntries(kept)
}

function text(value: string, room: { left: number }): string {
  const { length } = value
  const most = Math.max(0, room.left)
  room.left -= length
  if (length <= most) return value
  // A part of a text keeps all of it in memory; a copy does not.
  return `${Buffer.from(value.slice(0, most)).toString()}… (${length} characters)`
}
