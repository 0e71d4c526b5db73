/** Nothing is lost and nothing is emitted twice: snapshots, gaps, and backfills. */
import { expect, test } from 'bun:test'
import { recorded } from '../fixtures/client-market.ts'
import { ADDRESS, acknowledged, fill, scriptedClient, trade } from '../fixtures/scripted-sockets.ts'

const SOME_MS = 1_772_619_630_000

test('trades are emitted once; after a gap the new ones of the snapshot come first', async () => {
  const { service, machine, sockets } = scriptedClient()
  const one = recorded<{ tid: number }[]>()
  service.subscribe('trades', { coin: 'BTC' }, one.listener, one)
  await machine.settle()
  const at = (tid: number) => trade(tid, SOME_MS + tid * 1000)
  const push = (...tids: number[]) => ({ channel: 'trades', data: tids.map(at) })
  sockets[0]?.push(acknowledged({ type: 'trades', coin: 'BTC' }), push(3, 2, 1), push(4), push(4))
  sockets[0]?.push(push(4, 5))
  sockets[0]?.close()
  await machine.advance(250)
  sockets[1]?.push(acknowledged({ type: 'trades', coin: 'BTC' }), push(8, 7, 6, 5), push(9))
  await machine.settle()
  const tids = one.pushes.map(({ data }) => data.map(({ tid }) => tid))
  expect(tids).toEqual([[3, 2, 1], [4], [5], [6, 7, 8], [9]])
  expect(one.pushes.map((push) => [push.isSnapshot, push.isBackfill])).toEqual([
    [true, false],
    ...[1, 2].map(() => [false, false]),
    [false, true],
    [false, false],
  ])
  expect(one.kinds()).toEqual(['live', 'lost', 'live', 'resumed'])
  sockets[1]?.close()
  await machine.advance(500)
  sockets[2]?.push(acknowledged({ type: 'trades', coin: 'BTC' }), push(40, 39, 38))
  await machine.settle()
  // The snapshot begins after the known trades: a gap is reported.
  expect(one.events.at(-2)).toMatchObject({
    type: 'gap',
    fromMs: SOME_MS + 9000,
    toMs: SOME_MS + 38_000,
  })
})

test('fills of a gap are fetched by time, and new ones wait', async () => {
  const { service, machine, sockets, requested, answer } = scriptedClient()
  const one = recorded<{ fills: { tid: number }[] }>()
  const position = (tid: number) => `${tid * 0.5}`
  const at = (tid: number) => fill(tid, SOME_MS + tid * 1000, position(tid))
  answer('/hl/info', ({ startTime }: { startTime: number }) =>
    [1, 2, 3, 4, 5].map(at).filter(({ time }) => time >= startTime),
  )
  service.subscribe('userFills', { user: ADDRESS }, one.listener, one)
  await machine.settle()
  const push = (...tids: number[]) => ({
    channel: 'userFills',
    data: { user: ADDRESS, fills: tids.map(at) },
  })
  const snapshot = { channel: 'userFills', data: { ...push(1).data, isSnapshot: true } }
  sockets[0]?.push(acknowledged({ type: 'userFills', user: ADDRESS }), snapshot, push(2))
  sockets[0]?.close()
  await machine.advance(250)
  sockets[1]?.push(acknowledged({ type: 'userFills', user: ADDRESS }), push(6))
  await machine.settle()
  expect(requested.at(-1)?.body).toEqual({
    type: 'userFillsByTime',
    user: ADDRESS,
    startTime: SOME_MS + 2000,
  })
  const scheduled = one.pushes.map(({ data, isBackfill }) => [
    data.fills.map(({ tid }) => tid),
    isBackfill,
  ])
  expect(scheduled).toEqual([
    [[1], false],
    [[2], false],
    [[3, 4, 5], true],
    [[6], false],
  ])
  expect(one.kinds()).toEqual(['live', 'lost', 'live', 'resumed'])
})

test('a missing fill is detected by the position before the next one', async () => {
  const { service, machine, sockets, answer } = scriptedClient()
  const one = recorded<{ tid: number }>()
  const at = (tid: number) => fill(tid, SOME_MS + tid * 1000, `${tid * 0.5}`)
  answer('/hl/info', () => [1, 2, 3, 4, 5].map(at))
  service.subscribe('addressFills', { address: ADDRESS }, one.listener, one)
  await machine.settle()
  const push = (tid: number) => ({ type: 'data', data: { address: ADDRESS, ...at(tid) } })
  sockets[0]?.push({ type: 'subscribe' }, push(1), push(2), push(5), push(6))
  await machine.settle()
  expect(one.pushes.map(({ data, isBackfill }) => [data.tid, isBackfill])).toEqual([
    [1, false],
    [2, false],
    [3, true],
    [4, true],
    [5, true],
    [6, false],
  ])
})

test('pushes that the service reports as discarded are fetched', async () => {
  const { service, machine, sockets, answer } = scriptedClient()
  const one = recorded<{ tid: number }>()
  const at = (tid: number) => fill(tid, SOME_MS + tid * 1000, `${tid * 0.5}`)
  answer('/hl/info', () => [1, 2].map(at))
  service.subscribe('addressFills', { address: ADDRESS }, one.listener, one)
  await machine.settle()
  sockets[0]?.push({ type: 'subscribe' }, { type: 'data', data: { address: ADDRESS, ...at(1) } })
  await machine.advance(25_000)
  expect(sockets[0]?.sent.slice(1)).toEqual([{ type: 'ping' }, { type: 'stat' }])
  sockets[0]?.push({ type: 'stat', data: { discardedCount: 1, queueLen: 0 } })
  await machine.settle()
  expect(one.pushes.map(({ data }) => data.tid)).toEqual([1, 2])
})
