import type { Slices } from '../../clock/turns.ts'

/** Elements that are written in one slice. */
const PIECE_LENGTH = 50

/** A value that was written as JSON already. */
export class WrittenJson {
  constructor(readonly text: string) {}
}

/** A value as JSON; lists, and the lists that are fields of it, are written piece by piece. */
export function* jsonText(value: unknown): Slices<string> {
  if (value instanceof WrittenJson) return value.text
  if (Array.isArray(value)) return yield* listText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields: string[] = []
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    const text = Array.isArray(field) ? yield* listText(field) : JSON.stringify(field)
    fields.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${fields.join(',')}}`
}

function* listText(list: readonly unknown[]): Slices<string> {
  const pieces: string[] = []
  for (let at = 0; at < list.length; at += PIECE_LENGTH) {
    pieces.push(JSON.stringify(list.slice(at, at + PIECE_LENGTH)).slice(1, -1))
    yield
  }
  return `[${pieces.join(',')}]`
}
