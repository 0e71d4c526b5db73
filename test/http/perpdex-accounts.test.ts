/** Analytics of accounts for clients: forms, limits, spellings. */

import { expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { PERPDEX_QUESTIONS } from '../../src/contract/questions/perpdex.ts'
import type { Answers } from '../../src/contract/questions.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2'
const NAMES = [
  ...['portfolio', 'pnls', 'batchPnls', 'maxDrawdown', 'batchMaxDrawdown', 'netFlow'],
  ...['batchNetFlow', 'tradersAccounts', 'tradersStatistics', 'tradersSpotClearinghouseState'],
  ...['smartFind', 'tradersDiscover', 'tradersDiscoverHistory'],
].map((name) => `perpdex.${name}`)
const MINE = OPERATIONS.filter(({ id }) => NAMES.includes(id))

async function market(questions: Partial<Answers> = {}) {
  const { registry, sandbox, cast } = await recordedRegistry({ questions, epoch: 'live' })
  await sandbox.clock.advance(15 * 60_000)
  const { request } = memoryTransport(registry)
  const ask = (method: string, path: string, query = {}, body?: unknown) => {
    const text = new URLSearchParams({ ...query }).toString()
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const url = `${PREFIX}/hl${path}?${text}&${signed('demo', -1)}`
    const { status, body: answer } = request(method, url, sent)
    return { status, ...JSON.parse(answer) }
  }
  const { whale = '', scalper = '' } = cast().addresses
  const { atMs, shiftMs } = sandbox.position()
  return { ask, whale, scalper, shownMs: atMs + shiftMs }
}

const ready = market()

test('answers have the declared form, with any options, and shown times', async () => {
  expect(MINE.length).toBe(NAMES.length)
  const others = Object.entries(PERPDEX_QUESTIONS).flatMap(([id, { answers }]) =>
    Object.keys(answers).map((answer) => ({ [id]: answer })),
  )
  for (const questions of [{}, ...others]) {
    const { ask, whale, shownMs } = await market(questions)
    for (const { id, method, path, data, examples } of MINE) {
      const check = TypeCompiler.Compile(data)
      for (const { path: given, query, body } of examples) {
        const values: Record<string, string> = { ...given, address: whale }
        const filled = path.replace(/:(\w+)/g, (_, name) => values[name] ?? '').slice(3)
        const who = (body as { addresses?: unknown })?.addresses ? { addresses: [whale] } : {}
        const fullBody = body === undefined ? undefined : { ...(body as object), ...who }
        const answer = ask(method, filled, query, fullBody)
        expect([id, answer.status, answer.code]).toEqual([id, 200, '0'])
        expect([id, [...check.Errors(answer.data)].slice(0, 2)]).toEqual([id, []])
        for (const [, digits] of JSON.stringify(answer).matchAll(/"(?:time|ts)":(\d+)/g)) {
          expect(Number(digits)).toBeLessThanOrEqual(shownMs)
          expect(Number(digits)).toBeGreaterThan(shownMs - 32 * 86_400_000)
        }
        for (const [, iso] of JSON.stringify(answer).matchAll(/"(\d{4}-[\d:.T-]+Z)"/g))
          expect(shownMs - Date.parse(iso as string)).toBeLessThan(32 * 86_400_000)
      }
    }
  }
})

test('defaults are those of the contract', async () => {
  const { ask, whale } = await ready
  const same = (path: string, query: object) =>
    expect(ask('GET', path)).toEqual(ask('GET', path, query))
  same(`/pnls/${whale}`, { period: '0' })
  same(`/max-drawdown/${whale}`, { days: DEFAULT_ANSWERS['window-days'], scope: 'perp' })
  same(`/ledger-updates/net-flow/${whale}`, { days: DEFAULT_ANSWERS['window-days'] })
  const alike = (path: string, body: object, usual: object) =>
    expect(ask('POST', path, {}, body)).toEqual(ask('POST', path, {}, { ...usual, ...body }))
  const who = { addresses: [whale] }
  alike('/batch-pnls', who, { period: 0, scope: 'all' })
  alike('/traders/statistics', who, { period: 7, pnlList: false })
  alike('/smart/find', {}, { pageNum: 1, pageSize: 20, period: 7, sort: 'pnl', pnlList: false })
  const sort = { field: 'totalPnl', dir: 'DESC' }
  alike('/traders/discover', {}, { pageNum: 1, pageSize: 20, period: 7, sort, lang: 'en' })
  expect(ask('POST', '/traders/discover', {}, {}).data.list.length).toBe(20)
  expect(ask('POST', '/traders/discover', {}, { LoadPnls: true, LoadTags: true })).toEqual(
    ask('POST', '/traders/discover', {}, { loadPnls: true, loadTags: true }),
  )
})

test('more than the maximum is cut silently; unknown days and words are refused', async () => {
  const { ask, whale, scalper } = await ready
  const addresses = [...Array(50).fill(whale), scalper]
  for (const path of [
    ...['/batch-pnls', '/batch-max-drawdown', '/ledger-updates/batch-net-flow'],
    '/traders/statistics',
  ])
    expect(ask('POST', path, {}, { addresses }).data.length).toBe(50)
  const many = Array(2_001).fill(whale)
  for (const path of ['/traders/accounts', '/traders/spot-clearinghouse-state'])
    expect(ask('POST', path, {}, { addresses: many }).data.length).toBe(2_000)
  const found = (path: string, body: object) => ask('POST', path, {}, body).data
  expect(found('/smart/find', { pageSize: 26 }).length).toBe(25)
  expect(found('/smart/find', { pageNum: 21, pageSize: 1 })).toEqual(
    found('/smart/find', { pageNum: 20, pageSize: 1 }),
  )
  expect(found('/traders/discover', { pageSize: 99 }).list.length).toBe(25)
  const addrs = Array.from({ length: 51 }, (_, at) => (at === 50 ? scalper : whale))
  expect(found('/traders/discover', { addrs }).total).toBe(1)
  const days = { days: '5' }
  expect(ask('GET', `/max-drawdown/${whale}`, days).msg).toContain('days must be one of 1, 7, 30')
  expect(ask('GET', `/portfolio/${whale}/year`).status).toBe(400)
  const filters = [{ field: 'winRate', op: '~', val: 1 }]
  expect(ask('POST', '/traders/discover', {}, { filters }).msg).toBe(
    'invalid parameter: filters.0.op must be one of >, >=, <, <=, =, !=, <>, exist',
  )
})
