/** All identities: of addresses that the stream of trades names, and of coins. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runToEnd } from '../../src/clock/turns.ts'
import { randomSource } from '../../src/random/random-source.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { recordedRegistry, registryOn } from '../fixtures/default-recording.ts'
import { drawnAddresses, flawsOf, flawsOfCoin } from '../fixtures/reconciled.ts'
import { sharedTape } from '../fixtures/shared-tapes.ts'
import { lineRegistry, smallLine } from '../fixtures/small-line.ts'

const { sandbox, cast } = await recordedRegistry({ epoch: 'live' })
const random = randomSource('1', 'drawn addresses')
const line = await smallLine()
const scheduled = await lineRegistry(line, { epoch: 'tape' })
afterAll(() => {
  scheduled.registry.close()
  line.remove()
})

test('every identity holds for addresses drawn at random, of the crowd above all', async () => {
  let tried = 0
  for (const laterMs of [20_000, 840_000, 900_000]) {
    await sandbox.clock.advance(laterMs)
    const facts = sandbox.facts()
    for (const address of drawnAddresses(facts, cast().coins, random, 25)) {
      expect(flawsOf(facts, address)).toEqual([])
      tried++
    }
  }
  expect(tried).toBeGreaterThan(100)
})

test('what open spot orders of the crowd take of a balance is held', () => {
  const facts = sandbox.facts()
  const query = { minUsd: '0', limit: 40 }
  const owners = ['@107', 'PURR/USDC'].flatMap((coin) =>
    runToEnd(facts.orders.largestOpen({ ...query, coin })).map(({ address }) => address),
  )
  const addresses = [...new Set(owners)]
  const holding = addresses.filter((address) =>
    facts.users.spot(address).balances.some(({ hold }) => Number(hold) > 0),
  )
  expect(holding.length).toBeGreaterThan(5)
  const flaws = addresses.flatMap((address) => flawsOf(facts, address))
  expect(flaws.filter((flaw) => flaw.startsWith('order-hold'))).toEqual([])
})

test('every identity holds for every coin', () => {
  expect(cast().coins.flatMap((coin) => flawsOfCoin(sandbox.facts(), coin))).toEqual([])
})

test('every identity holds for the personas of the cast', () => {
  const facts = sandbox.facts()
  const found = Object.values(cast().addresses).flatMap((address) => flawsOf(facts, address))
  expect(found).toEqual([])
})

/** Those of a market do not touch one another: a halted coin has no cascade. */
const EVENTS = {
  'a cascade and a listing': [
    { kind: 'liquidations', coin: 'BTC', side: 'long', usd: 20_000_000 },
    { kind: 'listing', coin: 'NOVA' },
  ],
  'a fall and a halt': [
    { kind: 'move', coin: 'SOL', pct: -9, overS: 120 },
    { kind: 'halt', coin: 'BTC', forS: 120 },
  ],
}

test.each(Object.entries(EVENTS))('every identity holds after %s', async (name, events) => {
  const id = name.replaceAll(' ', '-')
  const call = controlCaller(scheduled.registry)
  const sandbox = await scheduled.registry.create({ name: id })
  for (const body of events)
    expect(await call('market.trigger', { params: { id }, body })).toMatchObject({ status: 200 })
  const later = () => call('clock.advance', { params: { id }, body: { ms: 60_000 } })
  for (let minute = 0; minute < 6; minute++) expect((await later()).status).toBe(200)
  const coins = ['BTC', 'SOL', 'xyz:TSLA', 'PURR/USDC', 'NOVA']
  const drawn = drawnAddresses(sandbox.facts(), coins, random, 30)
  expect(drawn.length).toBeGreaterThan(20)
  expect(drawn.flatMap((address) => flawsOf(sandbox.facts(), address))).toEqual([])
  expect(coins.flatMap((coin) => flawsOfCoin(sandbox.facts(), coin))).toEqual([])
})

const RECORDED = sharedTape('usdm/usdm_btcusdt_20240808.gz')

// It trades between the steps by which prices are quoted.
test.skipIf(RECORDED.absent)(
  `no fill on a recording is beyond the limit of its order${RECORDED.reason}`,
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'reconciled-'))
    try {
      const tape = path.join(folder, 'a.tape.ndjson')
      await importTape([RECORDED.path], tape)
      const recorded = await registryOn(tape, 1)
      const { clock } = recorded.sandbox
      await clock.advance(20_000)
      const facts = recorded.sandbox.facts()
      const coins = facts.market.tickers().map(({ coin }) => coin)
      const flaws = drawnAddresses(facts, coins, random, 40).flatMap((one) => flawsOf(facts, one))
      expect(flaws).toEqual([])
      recorded.registry.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  300_000,
)
