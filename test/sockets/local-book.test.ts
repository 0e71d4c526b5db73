/** A local book can be read only while it is sound, with reason and age. */
import { expect, test } from 'bun:test'
import { LocalBook } from '../../src/clients/service/book/local-book.ts'
import { book, scriptedClient } from '../fixtures/scripted-sockets.ts'

const SOME_MS = 1_772_619_630_000

async function localBook() {
  const { service, machine, sockets } = scriptedClient()
  const statuses: string[] = []
  let changes = 0
  const local = new LocalBook(service, 'BTC', {
    systemClock: machine.systemClock,
    onStatus: (status, why) => statuses.push(`${status}: ${why}`),
    onChange: () => changes++,
  })
  await machine.settle()
  const push = (frame: object) => sockets.at(-1)?.push(frame)
  return { local, machine, sockets, statuses, push, changes: () => changes }
}

test('a sound book is read best first, with its age', async () => {
  const { local, machine, push, changes } = await localBook()
  expect(() => local.read()).toThrow('book of BTC: waiting: nothing has come yet')
  push(book(SOME_MS))
  await machine.advance(700)
  expect(local.read()).toMatchObject({
    coin: 'BTC',
    timeMs: SOME_MS,
    ageMs: 700,
    bids: [{ px: '99.0' }],
    asks: [{ px: '101.0' }],
  })
  expect([local.status, local.ageMs, changes()]).toEqual(['sound', 700, 1])
})

test('a crossed or an empty book is refused, and the next sound one is not', async () => {
  const { local, push, statuses } = await localBook()
  push(book(SOME_MS, '102.0', '101.0'))
  expect(() => local.read()).toThrow('crossed: its best bid 102.0 is not below its best ask 101.0')
  const { data } = book(SOME_MS + 1)
  push({ channel: 'l2Book', data: { ...data, levels: [[], data.levels[1]] } })
  expect(() => local.read()).toThrow('book of BTC: empty: there is no bid')
  push({ channel: 'l2Book', data: { ...data, time: SOME_MS + 2, levels: [[], []] } })
  push(book(SOME_MS + 3))
  expect(local.read().timeMs).toBe(SOME_MS + 3)
  expect(statuses.map((one) => one.split(':')[0])).toEqual(['crossed', 'empty', 'sound'])
})

test('a book that is old, stale or lost is refused until it is live again', async () => {
  const { local, machine, sockets, push, statuses } = await localBook()
  push(book(SOME_MS))
  await machine.advance(14_999)
  expect(local.status).toBe('sound')
  await machine.advance(1)
  expect(() => local.read()).toThrow('old: its time has not advanced for 15000 ms')
  push(book(SOME_MS))
  expect(local.status).toBe('old')
  const { data } = book(SOME_MS + 1)
  push({ channel: 'l2Book', data: { ...data, stale: true } })
  expect(() => local.read()).toThrow('stale: the service says that it has expired')
  push(book(SOME_MS + 2))
  sockets[0]?.close()
  await machine.settle()
  expect(() => local.read()).toThrow('lost: its connection is lost')
  await machine.advance(250)
  push(book(SOME_MS + 9))
  expect(local.read().timeMs).toBe(SOME_MS + 9)
  local.close()
  expect(() => local.read()).toThrow('closed')
  expect(statuses.map((one) => one.split(':')[0])).toEqual([
    ...['sound', 'old', 'stale', 'sound', 'lost', 'sound', 'closed'],
  ])
  expect(machine.waiting).toBe(0)
})
