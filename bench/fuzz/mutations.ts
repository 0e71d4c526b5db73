/** Mutations of a valid text or JSON value, as data. */
import fc from 'fast-check'

/** An edit of bytes, at an offset given as a fraction of their length. */
export interface ByteEdit {
  do: 'set' | 'delete' | 'insert' | 'repeat' | 'cut'
  at: number
  length: number
  text: string
}

export const byteEdits: fc.Arbitrary<ByteEdit[]> = fc.array(
  fc.record({
    do: fc.constantFrom('set', 'delete', 'insert', 'repeat', 'cut'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 400 })),
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('"', '{', '[', ',', '\n', 'null', '1e999', '-', '\u0000', '\ufffd', ':'),
    ),
  }),
  { minLength: 1, maxLength: 6 },
)

export function edited(bytes: Buffer, edits: readonly ByteEdit[]): Buffer {
  return edits.reduce((now, { do: what, at, length, text }) => {
    const from = Math.floor(at * now.length)
    const [head, tail] = [now.subarray(0, from), now.subarray(from)]
    if (what === 'cut') return head
    if (what === 'delete') return Buffer.concat([head, tail.subarray(length)])
    if (what === 'repeat') return Buffer.concat([head, tail.subarray(0, length), tail])
    if (what === 'insert') return Buffer.concat([head, Buffer.from(text), tail])
    return Buffer.concat([head, Buffer.from(text), tail.subarray(Buffer.byteLength(text))])
  }, bytes)
}

/** An edit of one place of a JSON value; any number selects a place. */
export interface ValueEdit {
  do: 'set' | 'delete' | 'copy'
  place: number
  value: unknown
}

export const valueEdits: fc.Arbitrary<ValueEdit[]> = fc.array(
  fc.record({
    do: fc.constantFrom('set', 'delete', 'copy'),
    place: fc.nat({ max: 5_000 }),
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.maxSafeInteger(),
      fc.constantFrom(-1, 0, 1e308, '', 'default', null, [], {}),
    ),
  }),
  { maxLength: 5 },
)

type Container = Record<string, unknown>

/** A copy of the value with the edits. */
export function changed(value: unknown, edits: readonly ValueEdit[]): unknown {
  const root: Container = { value: structuredClone(value) }
  for (const { do: what, place, value: put } of edits) {
    const places = placesOf(root)
    const [holder, name] = places[place % places.length] ?? [root, 'value']
    if (what === 'set') holder[name] = put
    else if (what === 'copy') holder[`${name}x`] = holder[name]
    else if (Array.isArray(holder)) holder.splice(Number(name), 1)
    else delete holder[name]
  }
  return root.value ?? null
}

function placesOf(holder: Container): [Container, string][] {
  return Object.entries(holder).flatMap(([name, value]) => [
    [holder, name] as [Container, string],
    ...(typeof value === 'object' && value !== null ? placesOf(value as Container) : []),
  ])
}
