/**
 * The default world shows every distinction that the contract makes: a value that differs from
 * another, a null, a list that is longer than its limit, each value of an enumeration.
 */

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { controlCaller } from '../fixtures/control-caller.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { marketOf, requestedMarket } from '../fixtures/requested-market.ts'
import { ACCOUNTS_DISTINCTIONS } from './distinctions/accounts.ts'
import { CONTENT_DISTINCTIONS } from './distinctions/content.ts'
import { LIMITS_DISTINCTIONS } from './distinctions/limits.ts'
import { addressesOf, both, coinKeysOf, get, post, type Row } from './distinctions/looks.ts'
import { MARKET_DISTINCTIONS } from './distinctions/market.ts'
import { PARAMETERS_DISTINCTIONS } from './distinctions/parameters.ts'
import { TENANTS_DISTINCTIONS } from './distinctions/tenants.ts'

const DISTINCTIONS = {
  ...MARKET_DISTINCTIONS,
  ...CONTENT_DISTINCTIONS,
  ...ACCOUNTS_DISTINCTIONS,
  ...TENANTS_DISTINCTIONS,
  ...LIMITS_DISTINCTIONS,
  ...PARAMETERS_DISTINCTIONS,
}

/** What the default world cannot show, as docs/world.md says with the reason. */
const NOT_SHOWN = [
  '`coin_list`: more than 100 coins',
  '`degree_24h_cny` and `degree_7day_cny` other than in dollars',
  '`leverage` of an account other than null',
  '`children` of an order',
  '`language` 0 of a Chinese article',
  '`feeToken` other than the quote currency',
  '`trial` and `stakingLink` of `userFees`',
  '`stale: true`, and a book whose `time` stands still',
  'Latest-depth without stored data',
  '`result` error of latest-depth',
  'The older ticker',
  '`action` of a depth other than `partial`',
  '`reduceOnly` true, and `sz` below `origSz`, of a large open order',
  '`builder` and `isTrigger` of a pushed filled order',
]

const market = await requestedMarket()
for (const coin of ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE'])
  for (const side of ['above', 'below']) {
    const price = Number(get(market, '/hl/tickers/coin/:coin', {}, { coin }).price)
    const limit = (price * (side === 'above' ? 1.0003 : 0.9997)).toPrecision(6)
    const subType = `price:1:${side}:${limit}`
    const query = { symbol: `${coin.toLowerCase()}swapusdc:hl`, subType }
    expect(get(market, '/signal/addSignalAlert', query)).toEqual({ result: 'true' })
  }
const addresses = addressesOf(market)
for (const path of ['fills', 'filled-orders', 'clearinghouse-state', 'clearinghouse-state?dex=xyz'])
  market.listen(`/hl/ws/${path}`, [
    { type: 'subscribe', address: addresses },
    { type: 'stat' },
    { type: 'ping' },
  ])
await market.later(900_000)

for (const [place, probes] of Object.entries(DISTINCTIONS))
  for (const [sentence, probe] of Object.entries(probes))
    test(`${place}: ${sentence}`, () => {
      const shown = probe(market)
      // A list has what is not shown.
      expect(Array.isArray(shown) ? shown : shown ? [] : [sentence]).toEqual([])
    })

// Coins move together: on some days all of them fall. A move to the middle of them parts them.
test('Content: insights see coins rise and fall', async () => {
  const recorded = await recordedRegistry()
  const own = marketOf(recorded)
  const insights = (): Row[] => {
    const coinKeys = coinKeysOf(own).slice(0, 60)
    return post(own, '/content/ai-coins', { coinKeys, language: 'EN' }).list
  }
  const degrees = insights().map(({ degree }) => Number(degree))
  const pct = -(Math.min(...degrees) + Math.max(...degrees)) / 2
  const call = controlCaller(recorded.registry)
  const body = { kind: 'move', coin: 'BTC', pct, overS: 60 }
  const params = { id: recorded.sandbox.id }
  expect(await call('market.trigger', { params, body })).toMatchObject({ status: 200 })
  await own.later(70_000)
  const after = insights()
  expect(both(after, ({ trend }) => trend === 'rise')).toBe(true)
  for (const { degree, trend } of after)
    expect([degree, trend]).toEqual([degree, degree.startsWith('-') ? 'fall' : 'rise'])
})

test('the document gives a reason for each distinction that is not shown, and for no other', () => {
  const world = readFileSync(path.join(PROJECT_FOLDER, 'docs', 'world.md'), 'utf8')
  const [, section = ''] = world.split('## What it does not show\n')
  const rows =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('- ')) ?? []
  expect(rows.map((row) => row.slice(2).split(': because ')[0])).toEqual(NOT_SHOWN)
})

test('the document lists each probe under its part of the contract, and no other', () => {
  const page = readFileSync(path.join(PROJECT_FOLDER, 'docs', 'distinctions.md'), 'utf8')
  const [listed = ''] = page.split('## Sentences about behaviour')
  const parts = listed
    .split('\n## ')
    .slice(1)
    .map((part) => {
      const [place = '', ...lines] = part.split('\n')
      return [place, lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2))]
    })
  const probes = Object.entries(DISTINCTIONS).map(([place, own]) => [place, Object.keys(own)])
  expect(parts).toEqual(probes)
})
