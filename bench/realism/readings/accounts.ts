import { runToEnd } from '../../../src/clock/turns.ts'
import type { Facts } from '../../../src/contract/facts.ts'
import type { FoundTrader, TraderSearchQuery } from '../../../src/contract/records/trader-search.ts'
import { isRefusal } from '../../../src/contract/refusal.ts'
import type { Account, Reading } from '../observations.ts'

/** Days of the statistics. */
const DAYS = 30
const PAGE = 25
const PAGES = 20

/** All accounts found by a search. */
export function addressesOf(facts: Facts): string[] {
  return found(facts).map(({ address }) => address)
}

/** Their equity and trading statistics. */
export function accountsOf(facts: Facts, addresses: readonly string[]): Account[] {
  const traders = new Map(found(facts).map((trader) => [trader.address, trader]))
  const whole = curvesOf(facts, addresses, 0)
  const month = curvesOf(facts, addresses, DAYS)
  return addresses.map((address) => {
    const trader = traders.get(address)
    return {
      address,
      pnl: whole.get(address)?.at(-1)?.value ?? 0,
      value: Number(trader?.snapTotalValue ?? 0),
      closed: trader?.positionCount ?? 0,
      winRate: trader?.winRate ?? 0,
      sharpe: trader?.sharpe ?? null,
      curve: month.get(address) ?? [],
    }
  })
}

function found(facts: Facts): FoundTrader[] {
  const list: FoundTrader[] = []
  for (let pageNum = 1; pageNum <= PAGES; pageNum++) {
    const selects = ['snapTotalValue', 'positionCount', 'winRate', 'sharpe']
    const query = { pageNum, pageSize: PAGE, period: DAYS, selects } as TraderSearchQuery
    const work = facts.traders.discover(query)
    if (isRefusal(work)) throw new Error('a search of known columns is refused')
    const page = runToEnd(work).list
    list.push(...page)
    if (page.length < PAGE) break
  }
  return list
}

/** PnL at equal steps of so many days; 0 for all time. */
function curvesOf(facts: Facts, addresses: readonly string[], days: number) {
  const curves = facts.pnlCurves.batchPnls([...addresses], days, 'all')
  return new Map(
    curves.map(({ address, pnls }): [string, Reading[]] => [
      address,
      pnls.map((point) =>
        'pnl' in point
          ? { timeMs: point.time, value: Number(point.pnl) }
          : { timeMs: point.ts, value: Number(point.v) },
      ),
    ]),
  )
}
