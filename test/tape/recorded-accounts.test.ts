/** Accounts of a recording exist in the resulting world. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { worldOf } from '../../src/market/world/world.ts'
import { memoryDatabase } from '../../src/market/world/world-file.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { IDENTITIES } from '../fixtures/accounting-identities.ts'
import { answered, recordedMarket } from '../fixtures/recorded-exchanges.ts'
import { opened, replaySettings } from '../fixtures/replayed-session.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const inFolder = temporaryFolder()
const T = Date.UTC(2026, 5, 1, 12, 30)
const USER = `0x${'a'.repeat(40)}`
const OTHER = `0x${'b'.repeat(40)}`

const level = (px: string) => ({ px, sz: '10', n: 1 })
const book = (time: number) => ({
  coin: 'BTC',
  time,
  levels: [[level('100000')], [level('100001')]],
})
const position = (coin: string, szi: string, entryPx: string, positionValue: string) => {
  const leverage = { type: 'cross', value: 10 }
  const held = { coin, szi, entryPx, positionValue, unrealizedPnl: '-500.0', leverage }
  return { type: 'oneWay', position: held }
}
const state = (time: number, szi: string) => ({
  marginSummary: { accountValue: '20000.5' },
  assetPositions: [
    position('BTC', szi, '101000.0', '9.0'),
    position('FAR', '2.0', '7.28345', '14.5678'),
    position('NONE', '1.0', '5.0', '0.0'),
  ],
  time,
})
const order = (oid: number, more = {}) => ({
  coin: 'BTC',
  side: 'B',
  limitPx: '90000.0',
  sz: '0.25',
  oid,
  timestamp: T - 3_600_000,
  origSz: '0.5',
  ...more,
})
const trade = (time: number, tid: number, sz: string) => ({
  coin: 'BTC',
  side: 'B',
  px: '100001.0',
  sz,
  time,
  hash: '0xab',
  tid,
  users: [USER, OTHER],
})
const recentTrades = { type: 'recentTrades', coin: 'BTC' }
const clearinghouseState = { type: 'clearinghouseState', user: USER }

const recorded = () =>
  recordedMarket(inFolder, [
    answered(T, { type: 'l2Book', coin: 'BTC' }, book(T)),
    answered(T + 2000, recentTrades, [trade(T + 1000, 1, '0.125')]),
    answered(T + 3000, clearinghouseState, state(T + 3000, '0.5')),
    answered(T + 4000, { type: 'openOrders', user: USER }, [order(7)]),
    answered(
      T + 5000,
      { type: 'spotClearinghouseState', user: USER },
      {
        balances: [{ coin: 'USDC', token: 0, total: '77.0', hold: '0.0', entryNtl: '0.0' }],
      },
    ),
    answered(T + 6000, { type: 'userNonFundingLedgerUpdates', user: USER, startTime: 0 }, [
      { time: T - 86_400_000, hash: '0x1', delta: { type: 'deposit', usdc: '123.0' } },
    ]),
    answered(T + 7000, recentTrades, [trade(T + 6500, 2, '0.25')]),
    answered(T + 9000, clearinghouseState, state(T + 9000, '0.5')),
  ])

test('its positions, money and orders are answered, and contradictions are reported', async () => {
  const { report, events, tape } = await recorded()
  expect(events.filter(({ kind }) => kind === 'account')).toHaveLength(4)
  expect(report.contradictions).toMatchObject([
    {
      what: 'position that no recorded trades lead to',
      examples: [expect.stringContaining('BTC: 0.5 at 2026-06-01T12:30:03.000Z, 0.25 traded, 0.5')],
    },
  ])
  expect(report.leftOut.map(({ what }) => what)).toContain(
    'position in a coin of which the tape has no price',
  )
  const provider = worldProvider({
    ...replaySettings(tape),
    tape,
    cacheDir: inFolder('worlds'),
  })
  const { traffic, registry, sandbox } = await opened(provider, { profile: 'raw' })
  const info = (type: string, more = {}) =>
    JSON.parse(traffic.request('POST', '/info', JSON.stringify({ type, user: USER, ...more })).body)
  const { startMs } = sandbox.playhead.span
  const heldNow = () =>
    (info('clearinghouseState').assetPositions as ReturnType<typeof position>[]).map(
      (one) => one.position,
    )
  const [btc, far] = heldNow()
  expect(btc).toMatchObject({ coin: 'BTC', szi: '0.375', leverage: { type: 'cross', value: 10 } })
  expect(far).toMatchObject({ coin: 'FAR', szi: '2.0' })
  expect(Number(far?.entryPx)).toBeCloseTo(7.28345, 4)
  // The reported value less the loss on positions without a price in the tape.
  const { accountValue } = info('clearinghouseState').marginSummary
  const loss = heldNow().reduce((sum, one) => sum + Number(one.unrealizedPnl), 0)
  expect(Number(accountValue) - loss).toBeCloseTo(20_000.5 + 3 * 500, 1)
  await sandbox.clock.advance(T + 3000 - startMs)
  expect(heldNow()[0]?.szi).toBe('0.5')
  expect(info('openOrders')).toMatchObject([
    { coin: 'BTC', side: 'B', limitPx: '90000.0', sz: '0.25', timestamp: T - 3_600_000 },
  ])
  expect(info('spotClearinghouseState').balances).toMatchObject([{ coin: 'USDC', total: '77.0' }])
  const ledger = info('userNonFundingLedgerUpdates', { startTime: T - 86_400_000 })
  expect(ledger[0]).toMatchObject({
    time: T - 86_400_000,
    delta: { type: 'deposit', usdc: '123.0' },
  })
  registry.close()
  const [file] = new Bun.Glob('*.sqlite').scanSync({ cwd: inFolder('worlds'), absolute: true })
  const db = new Database(file as string, { readonly: true, strict: true })
  const world = worldOf(db, memoryDatabase)
  for (const [identity, check] of Object.entries(IDENTITIES))
    expect({ identity, breaches: check(world).slice(0, 3) }).toEqual({ identity, breaches: [] })
  world.close()
})
