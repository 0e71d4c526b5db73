import { expect, test } from 'bun:test'
import { OutputDigest } from './output-digest.ts'

interface Given {
  of?: string
  atMs?: number
  status?: number
  body?: string
}

function digestOf(answers: Given[]): string {
  const digest = new OutputDigest()
  for (const { of = 'coin.list', atMs = 1, status = 200, body = '{}' } of answers)
    digest.addAnswer(of, atMs, { status, contentType: 'application/json', body })
  return digest.text
}

const BODIES = ['{}', 'a', 'b', 'ä', 'c'.repeat(20_000), 'd'.repeat(16_384), '']

test('bodies that were answered before count like new ones, in any order', () => {
  const answers = [...BODIES, ...BODIES.toReversed(), ...BODIES].map((body, atMs) => ({
    body,
    atMs,
  }))
  const other = answers.toSorted((a, b) => a.body.length - b.body.length || b.atMs - a.atMs)
  expect(digestOf(other)).toBe(digestOf(answers))
  expect(digestOf(answers.slice(1))).not.toBe(digestOf(answers))
})

test('each part of a response changes the digest, and so does which body belongs to which', () => {
  const [one, two] = [{ body: 'a' }, { of: 'stock.list', body: 'b' }]
  const changed: Given[][] = [
    [{ ...one, atMs: 2 }, two],
    [{ ...one, status: 201 }, two],
    [{ ...one, of: 'coin' }, two],
    [
      { ...one, body: 'b' },
      { ...two, body: 'a' },
    ],
    [one, two, two],
    [one, one],
  ]
  const digests = [[one, two], ...changed].map(digestOf)
  expect(new Set(digests).size).toBe(digests.length)
})

test('a repeated response counts like the first, whatever its headers', () => {
  type Headers = Record<string, string>
  const digestBy = (bodies: string[], headers: (Headers | null)[]) => {
    const digest = new OutputDigest()
    for (const of of headers)
      for (const body of bodies)
        digest.addAnswer('coin.list', 1, {
          status: 200,
          contentType: 'a',
          body,
          ...(of ? { headers: of } : {}),
        })
    return digest.text
  }
  const given: (Headers | null)[] = [
    { date: 'now' },
    { etag: '1' },
    null,
    { etag: '2', date: 'then' },
    { etag: '1' },
  ]
  // Nothing is known of bodies that are too many, or too long.
  const bodies = ['a', ...Array.from({ length: 5 }, (_, at) => 'b'.repeat(17_000 + at))]
  const [known, unknown] = [digestBy(['a'], given), digestBy(bodies, given)]
  expect(known).not.toBe(digestBy(['a'], given.toSpliced(1, 1)))
  expect(known).toBe(digestBy(['a'], given.toReversed()))
  expect(unknown).toBe(digestBy(bodies.toReversed(), given.toReversed()))
  expect(known).not.toBe(digestBy(['a'], given.with(1, {})))
})
