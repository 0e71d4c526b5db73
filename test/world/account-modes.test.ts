/** Separated, unified, staking, vault, borrowing and sub-accounts live side by side. */
import { expect, test } from 'bun:test'
import type { SpotState } from '../../src/contract/records/account-state.ts'
import type { TraderAccount } from '../../src/contract/records/trader-search.ts'
import type { World } from '../../src/market/world/world.ts'
import { loadedWorld, recordedRegistry } from '../fixtures/default-recording.ts'
import { requestedMarket } from '../fixtures/requested-market.ts'

const market = await requestedMarket()
const { world } = (await loadedWorld()) as unknown as { world: World }
const traders = world.db.prepare('select address, mode, role from trader order by id').all() as {
  address: string
  mode: string
  role: string
}[]
const addresses = traders.map(({ address }) => address)
const post = (path: string, body: Record<string, unknown>) => market.ask('POST', path, { body })
const accounts = post('/hl/traders/accounts', { addresses }) as TraderAccount[]
const spotStates = new Map(
  (
    post('/hl/traders/spot-clearinghouse-state', { addresses }) as {
      address: string
      spotState: SpotState
    }[]
  ).map(({ address, spotState }) => [address, spotState]),
)
const held = accounts.filter(({ perpValue }) => Number(perpValue) > 1)
const isSum = ({ totalValue, spotValue, perpValue }: TraderAccount) =>
  Math.abs(Number(spotValue) + Number(perpValue) - Number(totalValue)) < 0.01

test('totalValue is not the sum of spotValue and perpValue for a good part of traders', () => {
  const others = held.filter((account) => !isSum(account)).length
  expect(others / held.length).toBeGreaterThan(0.3)
  expect(others / held.length).toBeLessThan(0.8)
})

test('modes live side by side: about a quarter is unified, others have savings or debts', () => {
  const unified = traders.filter(({ mode }) => mode === 'unified')
  expect(unified.length / traders.length).toBeGreaterThan(0.15)
  expect(unified.length / traders.length).toBeLessThan(0.35)
  const dexes = world.db.prepare('select dex, count(*) as n from account group by dex').all()
  const count = new Map((dexes as { dex: string; n: number }[]).map(({ dex, n }) => [dex, n]))
  for (const dex of ['', 'spot', 'xyz', 'staking', 'vault'])
    expect(count.get(dex) ?? 0).toBeGreaterThan(20)
  const balances = [...spotStates.values()].flatMap((state) => state.balances)
  expect(balances.some(({ total }) => total.startsWith('-'))).toBe(true)
})

test('spot-clearinghouse-state shows what spotValue contains, in each mode', () => {
  const prices = new Map(
    (market.ask('GET', '/hl/tickers', {}) as { coin: string; price: string }[]).map(
      ({ coin, price }) => [coin, Number(price)],
    ),
  )
  let compared = 0
  for (const { address, spotValue } of accounts) {
    const { balances } = spotStates.get(address) as SpotState
    const dollars = balances.find(({ coin }) => coin === 'USDC')
    const worth = balances
      .filter(({ coin }) => coin !== 'USDC')
      .reduce(
        (sum, { coin, total }) =>
          sum + Number(total) * (prices.get(coin === 'HYPE' ? '@107' : `${coin}/USDC`) ?? 0),
        Math.max(0, Number(dollars?.total ?? 0)),
      )
    // Prices of tickers are the last ones, and those of values the mark prices.
    expect(Math.abs(worth - Number(spotValue))).toBeLessThanOrEqual(0.01 * worth + 0.01)
    if (Number(spotValue) > 1) compared++
  }
  expect(compared).toBeGreaterThan(60)
})

test('the master of a sub-account lists it, and the sub-account names its master', async () => {
  const [master, sub] = [market.persona('depositor'), market.persona('subAccount')]
  const { sandbox } = await recordedRegistry()
  const { users } = sandbox.facts()
  expect(users.masterOf(sub)).toBe(master)
  expect(users.masterOf(master)).toBeNull()
  expect(users.subAccountsOf(master)).toEqual([sub])
  expect(users.subAccountsOf(sub)).toEqual([])
})
