/** Pages of the journal, and its live stream to slow or many readers. */
import { expect, test } from 'bun:test'
import type { Journal } from '../../src/sandbox/journal/journal.ts'
import type { Registry } from '../../src/sandbox/registry.ts'
import { routeOf } from '../../src/server/control/control-operation.ts'
import { journalRead } from '../../src/server/control/operations/journal.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'

const DEFAULT = { id: 'default' }

async function journalled(count: number, bytes = 4 << 20) {
  const registry = await fakeRegistry({ journal: { maxBytes: bytes } })
  const { journal } = registry.get('default') as NonNullable<ReturnType<Registry['get']>>
  record(journal, count)
  const ask = controlCaller(registry)
  const page = async (query: string) => {
    const { status, body, headers } = await ask('journal.read', { params: DEFAULT, query })
    const numbers = (body.entries ?? []).map(({ seq }: { seq: number }) => seq)
    return { status, body, numbers, link: headers.link }
  }
  return { registry, journal, ask, page }
}

/** Frames in and out by turns, each of some 3,000 characters when it is shown. */
function record(journal: Journal, count: number): void {
  for (let n = 0; n < count; n++)
    journal.record({
      kind: 'frame',
      sessionMs: 0,
      tapeMs: 0,
      key: null,
      direction: n % 2 === 0 ? 'in' : 'out',
      connection: 1,
      path: '/hl/ws',
      text: 'x'.repeat(2_000),
    })
}

const from = (first: number, last: number, step = 1) =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, n) => first + n * step)

const queryOf = (link = '') => /\?(.*)>/.exec(link)?.[1] ?? ''

test('pages lead from the newest entries to the oldest, whatever is added in between', async () => {
  const { journal, page } = await journalled(10)
  const first = await page('limit=4&direction=out')
  expect(first.numbers).toEqual([4, 6, 8, 10])
  expect(first.link).toBe(
    '</_control/sandboxes/default/journal?limit=4&direction=out&cursor=4>; rel="next"',
  )
  record(journal, 5)
  const second = await page(queryOf(first.link))
  expect([second.numbers, second.link, second.body.newest]).toEqual([[2], undefined, 15])
  expect((await page('limit=3&since=11')).numbers).toEqual([13, 14, 15])
  expect((await page('limit=3&since=13')).numbers).toEqual([14, 15])
})

test('a page ends at dropped entries', async () => {
  const { journal, page } = await journalled(8, 10_000)
  const { oldest } = journal
  expect(oldest).toBeGreaterThan(2)
  const first = await page('limit=2')
  expect(first.numbers).toEqual([7, 8])
  record(journal, 1)
  expect((await page(queryOf(first.link))).numbers).toEqual(from(journal.oldest, 6).slice(-2))
  record(journal, 20)
  expect((await page(queryOf(first.link))).numbers).toEqual([])
})

test('a refusal outlasts later pushes, within the same bytes', async () => {
  const { journal, ask, page } = await journalled(0, 20_000)
  const refused = (refusal: string | null) => ({
    kind: 'request' as const,
    sessionMs: 0,
    tapeMs: 0,
    key: null,
    operation: null,
    method: 'GET',
    path: '/x',
    query: '',
    body: '',
    status: 401,
    lenient: [],
    refused: refusal,
    subject: null,
    reason: null,
    answer: null,
    answerLength: 0,
    durationMs: 0,
  })
  journal.record(refused('signature'))
  journal.record(refused(null))
  record(journal, 50)
  expect((await page('status=401')).numbers).toEqual([1])
  expect((await page('limit=3&cursor=4')).numbers).toEqual([1])
  expect((await ask('journal.count', { params: DEFAULT, query: 'status=401' })).body.count).toBe(1)
  expect((await page('since=1&status=401')).numbers).toEqual([])
  expect(journal.dropped + journal.keptCount).toBe(journal.newest)
  expect(journal.keptBytes).toBeLessThanOrEqual(20_000)
  for (let n = 0; n < 100; n++) journal.record(refused('permission'))
  record(journal, 50)
  const { numbers } = await page('status=401')
  expect([numbers.length > 5, numbers.at(-1)]).toEqual([true, 152])
  expect(journal.dropped + journal.keptCount).toBe(journal.newest)
  expect(journal.keptBytes).toBeLessThanOrEqual(20_000)
})

test('an invalid cursor or page length is refused', async () => {
  const { page } = await journalled(1)
  expect((await page('cursor=x')).body.error).toContain('cursor must be what the Link header')
  expect((await page('limit=100000')).body.error).toContain(
    'limit must be a whole number from 1 to 10000, not 100000',
  )
})

/** A live journal, and its text as far as it is read. */
async function live(registry: Registry, query: string) {
  const answer = await routeOf(journalRead, registry).answer({
    params: DEFAULT,
    query,
    body: '',
    headers: new Headers({ accept: 'text/event-stream' }),
    origin: 'http://localhost',
  })
  if (typeof answer.body === 'string') return { status: answer.status, body: answer.body }
  const reader = answer.body.getReader()
  const until = async (sign: string) => {
    let text = ''
    while (!text.includes(sign)) text += (await reader.read()).value
    return text
  }
  return { status: answer.status, reader, until }
}

test('a stalled reader has no queue: the number of its dropped entries is reported', async () => {
  const { registry, journal } = await journalled(0, 100_000)
  const { until } = await live(registry, 'direction=out')
  await until?.(': the journal')
  record(journal, 1_000)
  const text = (await until?.('id: 1000\n')) ?? ''
  const numbers = [...text.matchAll(/id: (\d+)/g)].map(([, number]) => Number(number))
  const dropped = Number(/event: dropped\ndata: (\d+)/.exec(text)?.[1])
  const seen = numbers.findIndex((number, at) => number !== 2 * (at + 1))
  expect(seen).toBeGreaterThan(5)
  expect(numbers.slice(seen)).toEqual(from(journal.oldest + (journal.oldest % 2), 1_000, 2))
  expect(dropped).toBe(journal.oldest - 1 - 2 * seen)
  expect(text.length).toBeLessThan(500_000)
})

test('a reader gets entries that the journal itself does not keep', async () => {
  const { registry, journal } = await journalled(0, 0)
  const { until } = await live(registry, '')
  await until?.(': the journal')
  const next = until?.('id: 1\n')
  record(journal, 1)
  expect(await next).not.toContain('dropped')
  expect(journal.oldest).toBe(2)
})

test('the number of readers is bounded; one that leaves makes room', async () => {
  const { registry } = await journalled(0)
  const readers = await Promise.all(Array.from({ length: 32 }, () => live(registry, '')))
  expect(await live(registry, '')).toEqual({
    status: 429,
    body: JSON.stringify({
      error:
        '32 journals are being sent live for sandbox "default", at most 32: wait for some to end',
    }),
  })
  await readers[0]?.reader?.cancel()
  expect((await live(registry, '')).status).toBe(200)
  registry.get('default')?.reset()
  const { reader } = readers[1] as Awaited<ReturnType<typeof live>>
  await reader?.read()
  expect((await reader?.read())?.done).toBe(true)
  expect((await live(registry, '')).status).toBe(200)
})
