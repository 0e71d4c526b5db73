/** Every type of `POST /info` answers by its schema, for any account and at any time. */

import { expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { isSlices, runToEnd } from '../../src/clock/turns.ts'
import type { Facts } from '../../src/contract/facts.ts'
import { INFO_TYPES, VENUE_INFO_TYPES } from '../../src/contract/info/index.ts'
import { infoAnswerer } from '../../src/contract/info/info-type.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { busiestAccounts, factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const instants = [
  world.meta.historyStartMs - 1,
  world.meta.historyStartMs + 86_400_000,
  world.startMs,
  world.startMs + 95_000,
  world.endMs + 1,
]
const nobody = '0x0000000000000000000000000000000000000000'
type Body = { type: string; [field: string]: unknown }
/** A parsed body, with any fields. */
const answering = (types: typeof VENUE_INFO_TYPES) => (body: Body, facts: Facts) => {
  const answer = infoAnswerer(types)(body, facts)
  return isSlices(answer) ? runToEnd(answer) : answer
}

const users = [...busiestAccounts(world).map(({ address }) => address), nobody]

test.each(VENUE_INFO_TYPES)('$type', (info) => {
  const answer = answering([info])
  const check = TypeCompiler.Compile(info.data)
  for (const atMs of instants)
    for (const example of info.examples)
      for (const user of 'user' in example ? users : [undefined]) {
        const body = { type: info.type, ...example, ...(user && { user }) }
        const data = answer(body, factsAt(world, atMs, 98_765))
        const flaws = [...check.Errors(data)].map(({ path, message }) => `${path}: ${message}`)
        expect(flaws).toEqual([])
        // The answer for a future account must have the form of one for an unknown account.
        if (atMs < world.meta.historyStartMs && user && !('oid' in example)) {
          const other = answer({ ...body, user: nobody }, factsAt(world, atMs, 98_765))
          expect(JSON.stringify(data)?.replaceAll(user, nobody)).toBe(JSON.stringify(other))
        }
      }
})

test('an unknown coin and dex are answered, too', () => {
  const facts = factsAt(world, world.endMs)
  const ask = (body: Body): unknown => answering(VENUE_INFO_TYPES)(body, facts)
  expect(ask({ type: 'activeAssetData', user: nobody, coin: 'NONE' })).toBeNull()
  expect(ask({ type: 'fundingHistory', coin: 'NONE', startTime: 0 })).toBeNull()
  expect(ask({ type: 'recentTrades', coin: 'NONE' })).toBeNull()
  expect(ask({ type: 'metaAndAssetCtxs', dex: 'none' })).toBeNull()
  const answers = { ...facts.moment.answers, 'dex-unknown': 'empty' as const }
  const lenient = factsOf(world)({ ...facts.moment, answers })
  const orders = { type: 'frontendOpenOrders', user: nobody, dex: 'none' }
  expect<unknown>(answering(VENUE_INFO_TYPES)(orders, lenient)).toEqual([])
  expect(ask(orders)).toMatchObject({ refused: 'invalid', parameter: 'dex' })
})

test('null is an absent parameter', () => {
  const answer = answering(VENUE_INFO_TYPES)
  const facts = factsAt(world, world.endMs)
  const [user = ''] = users
  for (const body of [
    { type: 'userNonFundingLedgerUpdates', user, startTime: 0, endTime: null },
    { type: 'userFunding', user, startTime: null, endTime: null },
    { type: 'userFillsByTime', user, startTime: 0, endTime: null, aggregateByTime: null },
    { type: 'candleSnapshot', req: { coin: 'BTC', interval: '1d', startTime: 0, endTime: null } },
    { type: 'l2Book', coin: 'BTC', nSigFigs: null, mantissa: null },
    { type: 'clearinghouseState', user, dex: null },
    { type: 'openOrders', user, dex: null },
    { type: 'allMids', dex: null },
  ])
    expect((answer(body, facts) as unknown) ?? null).not.toBeNull()
})

test('types of the venue itself are unknown to the service', async () => {
  const marked = VENUE_INFO_TYPES.filter(({ profile }) => profile === 'raw')
  expect(marked.length).toBeGreaterThan(50)
  expect(INFO_TYPES.length + marked.length).toBe(VENUE_INFO_TYPES.length)
  const [service, venue] = await Promise.all([
    recordedRegistry(),
    recordedRegistry({ profile: 'raw', metering: 'off' }),
  ])
  const body = (type: string, example: object) => JSON.stringify({ type, ...example })
  for (const { type, examples } of marked) {
    const [example = {}] = examples
    const path = `/api/upgrade/v2/hl/info?${signed()}`
    const refused = memoryTransport(service.registry).request('POST', path, body(type, example))
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([200, '400'])
    const answered = memoryTransport(venue.registry).request('POST', '/info', body(type, example))
    expect([type, answered.status]).toEqual([type, 200])
  }
})
