/**
 * The default world shows every distinction that the contract makes: a value that differs from
 * another, a null, a list that is longer than its limit, each value of an enumeration.
 */

import { expect, test } from 'bun:test'
import { controlCaller } from '../fixtures/control-caller.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { marketOf, requestedMarket } from '../fixtures/requested-market.ts'
import { DISTINCTIONS } from './distinctions/distinctions.ts'
import { addressesOf, both, coinKeysOf, get, post, type Row } from './distinctions/looks.ts'

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
