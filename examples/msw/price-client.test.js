import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setupServer } from 'msw/node'
import { createSandbox } from 'tapewright'
import { handlers } from 'tapewright/msw'
import { PriceClient } from './price-client.js'

let sandbox
let server

before(async () => {
  sandbox = await createSandbox()
  server = setupServer(...handlers(sandbox, { origin: 'https://api.market-data.example' }))
  server.listen({ onUnhandledFrame: 'error' })
})

after(async () => {
  server.close()
  await sandbox.close()
})

test('the price is that of the market', async () => {
  assert.match(await new PriceClient(sandbox.keys.full).price('BTC'), /^\d+(\.\d+)?$/)
})

test('the stream gives the best bid', async () => {
  assert.match(await new PriceClient(sandbox.keys.full).bestBid('BTC'), /^\d+(\.\d+)?$/)
})

test('a key without permission is told so', async () => {
  const bare = new PriceClient(sandbox.keys.bare)
  await assert.rejects(bare.price('BTC'), /^Error: 403: Permission denied: HL_TICKERS/)
  await assert.rejects(bare.bestBid('BTC'), /closed with 1006/)
})
