/** Histories of the raw profile as public clients read them: in pages, in chunks, one by one. */
import { expect, test } from 'bun:test'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'

interface Row {
  time: number
  tid: number
  oid: number
}

const { registry, sandbox } = await recordedRegistry({
  profile: 'raw',
  questions: { 'venue-rate-limit': 'off' },
})
const { request } = memoryTransport(registry)
const { personas } = sandbox.world.cast(sandbox.facts().moment) as {
  personas: Record<string, { address: string }>
}
const addressOf = (name: string) => personas[name]?.address as string
const info = <T>(body: object): T =>
  JSON.parse(request('POST', '/info', JSON.stringify(body)).body) as T

const MOST = 2000

/** Fills of an account, each page from the last fill of the one before, or from just after it. */
function fillsInPages(user: string, afterMs: number): Row[][] {
  const pages: Row[][] = []
  // The venue knows the latest 10,000.
  for (let startTime = 0; pages.length < 10; ) {
    const page = info<Row[]>({ type: 'userFillsByTime', user, startTime })
    pages.push(page)
    if (page.length < MOST) return pages
    startTime = (page.at(-1)?.time ?? 0) + afterMs
  }
  return pages
}

test('pages of fills have each fill of one page size after another, oldest first', () => {
  const user = addressOf('busiest')
  const [repeating, apart] = [fillsInPages(user, 0).flat(), fillsInPages(user, 1).flat()]
  expect(apart.length).toBeGreaterThan(MOST)
  expect(apart.map(({ time }) => time)).toEqual(apart.map(({ time }) => time).toSorted())
  const tids = new Set(repeating.map(({ tid }) => tid))
  expect(new Set(apart.map(({ tid }) => tid))).toEqual(tids)
  const latest = info<Row[]>({ type: 'userFills', user })
  expect(latest.filter(({ tid }) => !tids.has(tid))).toEqual([])
})

test('a payment at the border of two chunks of time is in both', () => {
  const user = addressOf('whale')
  const all = info<Row[]>({ type: 'userFunding', user, startTime: 0 })
  const border = all[Math.floor(all.length / 2)]?.time as number
  const before = info<Row[]>({ type: 'userFunding', user, startTime: 0, endTime: border })
  const after = info<Row[]>({ type: 'userFunding', user, startTime: border })
  expect(all.length).toBeGreaterThan(10)
  for (const chunk of [before, after]) expect(chunk.some(({ time }) => time === border)).toBe(true)
})

test('every open order is found by its number', () => {
  const user = addressOf('marketMaker')
  const open = info<Row[]>({ type: 'openOrders', user })
  const found = open.map(({ oid }) =>
    info<{ status: string; order?: { order: Row } }>({ type: 'orderStatus', user, oid }),
  )
  expect(open.length).toBeGreaterThan(3)
  expect(found.map(({ status, order }) => [status, order?.order.oid])).toEqual(
    open.map(({ oid }) => ['order', oid]),
  )
})
