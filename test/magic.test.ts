/** Magic values: what each does to a request that names it. */
import { expect, test } from 'bun:test'
import type { Wish } from '../src/sandbox/wish.ts'
import { magicAddress, magicCoin, magicValues } from '../src/scenario/magic.ts'
import { memory } from '../src/transport/memory/memory.ts'
import { realRegistry } from './real-market.ts'
import { signed } from './toy-market.ts'

async function market(wish: Wish = {}) {
  const { registry, cast } = await realRegistry({ epoch: 'tape', ...wish })
  const { request } = memory(registry)
  const get = (path: string, query = '') =>
    request('GET', `/api/upgrade/v2${path}?${query}&${signed()}`)
  return { get, cast, fills: (code: string) => get(`/hl/fills/${magicAddress(code)}`) }
}

test('an address of zeros and a code has the outcome of that code', async () => {
  const { fills } = await market()
  const statuses = ['401', '403', '429', '4290', '500', '502'].map((code) => fills(code).status)
  expect(statuses).toEqual([401, 403, 429, 429, 500, 502])
  expect(fills('504').delivery?.ready).toBeInstanceOf(Promise)
  expect([fills('700').delivery?.drop, fills('701').delivery?.drop]).toEqual(['before', 'middle'])
  expect(fills('602').body).toBe('null')
  for (const code of ['600', '601']) expect(() => JSON.parse(fills(code).body)).toThrow()
  expect(JSON.parse(fills('204').body)).toMatchObject({ code: '0', data: [] })
})

test('so has a coin that is called TRY and the code, in a path or in a query', async () => {
  const { get } = await market()
  expect(get(`/hl/tickers/coin/${magicCoin('429')}`).status).toBe(429)
  expect(get(`/hl/tickers/coin/${magicCoin('1')}`).status).toBe(200)
  expect(get('/hl/liquidations/market-heatmap', `coin=${magicCoin('500')}`).status).toBe(500)
})

test('nobody and nothing of the market is called so, and all else is untouched', async () => {
  const { get, cast } = await market()
  const { coins, addresses } = magicValues()
  const known = JSON.stringify(cast())
  for (const name of [...Object.keys(coins), ...Object.keys(addresses)])
    expect(known).not.toContain(name)
  expect(get(`/hl/fills/${magicAddress('1')}`).status).toBe(200)
})

test('magic can be switched off', async () => {
  const { fills } = await market({ magic: 'off' })
  expect(fills('429').status).toBe(200)
})
