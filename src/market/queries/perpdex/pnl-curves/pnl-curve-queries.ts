/** What accounts were worth and earned over time, out of the same rows as their states. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { PnlCurvesFacts } from '../../../../contract/facts/perpdex/pnl-curves.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { isoText } from '../../../../contract/rebase.ts'
import type {
  AddressDrawdown,
  AddressNetFlow,
  AddressPnls,
  CurveScope,
  CurveWindow,
  Drawdown,
  NetFlow,
  PnlCurve,
  PortfolioCurve,
} from '../../../../contract/records/pnl-curve.ts'
import { raw, subtract, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { fractionText } from '../../../formatting/fraction.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import { depositsAt } from '../../../rows/trader-history.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { usdText } from '../../../schema/schema.ts'
import { periodStart } from '../../../shown-time/period.ts'
import type { World } from '../../../world/world.ts'
import { type DrawdownSpan, drawdownOf } from './drawdown.ts'
import { pnlCurve, pnlsOf, WINDOW_DAYS } from './pnl-curve.ts'
import { CENTS, pnlCurveRecord } from './pnl-curve-record.ts'

export class PnlCurveQueries implements PnlCurvesFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  portfolio(address: string, window: CurveWindow): PortfolioCurve {
    const trader = this.find(address)
    if (trader === null) return { accountValue: [], pnl: [] }
    const curve = pnlCurve(this.world, this.moment, trader, WINDOW_DAYS[window])
    const isCounted = this.moment.answers['portfolio-builder-dexes'] === 'counted'
    const pointTexts = (values: Usd[]) =>
      values.map((value, at) => ({ time: curve.timeMs(at), value: usdText(value, CENTS) }))
    const [main, spot, builder] = (['main', 'spot', 'builder'] as const).map((name) =>
      curve.column(name),
    ) as [Float64Array, Float64Array, Float64Array]
    const owned = (value: number, at: number) =>
      usd(value + (spot[at] as number) + (isCounted ? (builder[at] as number) : 0))
    return {
      accountValue: pointTexts(Array.from(main, owned)),
      pnl: pointTexts(pnlsOf(curve, 'all')),
    }
  }

  pnls(address: string, days: number, scope: CurveScope): PnlCurve {
    const trader = this.find(address)
    if (trader === null) return []
    return pnlCurveRecord(this.world, this.moment, trader, { days, scope, form: 'endpoint' })
  }

  batchPnls(addresses: string[], days: number, scope: CurveScope): AddressPnls[] {
    return addresses.map((address) => ({
      address: address.toLowerCase(),
      pnls: this.pnls(address, days, scope),
    }))
  }

  drawdown(address: string, days: number): Drawdown {
    const { world, moment } = this
    const trader = this.find(address)
    const drawdown = trader === null ? null : drawdownOf(world, moment, trader, days)
    const { high, low, lost, base, netIn } = drawdown ?? emptyDrawdown(moment.atMs)
    const isBetween = moment.answers['drawdown-net-in'] === 'between'
    return {
      high: extremeText(high),
      low: extremeText(low),
      maxDrawdown: fractionText(BigInt(raw(lost)), BigInt(raw(base))),
      netIn: isBetween ? usdText(netIn) : this.netFlow(address, days).netPerpIn,
    }
  }

  batchDrawdown(addresses: string[], days: number): AddressDrawdown[] {
    const isBoth = this.moment.answers['batch-drawdown-keys'] === 'both'
    return addresses.map((given) => {
      const address = given.toLowerCase()
      const one = this.drawdown(address, days)
      const { high: High, low: Low, maxDrawdown: MaxDrawdown, netIn: NetIn } = one
      const capitals = { Address: address, High, Low, MaxDrawdown, NetIn }
      return isBoth ? { ...capitals, address, ...one } : capitals
    })
  }

  netFlow(address: string, days: number): NetFlow {
    const trader = this.find(address)
    if (trader === null) return { netPerpIn: '0', netSpotIn: '0' }
    const { perp, spot } = netFlowOf(this.world, trader, days, this.moment.atMs)
    return { netPerpIn: usdText(perp), netSpotIn: usdText(spot) }
  }

  batchNetFlow(addresses: string[], days: number): AddressNetFlow[] {
    return addresses.map((address) => ({
      address: address.toLowerCase(),
      ...this.netFlow(address, days),
    }))
  }

  private find(address: string): number | null {
    return tradersOf(this.world).find(address)?.id ?? null
  }
}

const extremeText = ({ timeMs, value }: DrawdownSpan['high']) => ({
  time: isoText(timeMs),
  value: usdText(value),
})

function emptyDrawdown(timeMs: TapeMs): DrawdownSpan {
  const nothing = { timeMs, value: ZERO }
  return { high: nothing, low: nothing, lost: ZERO, base: usd(1), netIn: ZERO }
}

// What came into the accounts of a trader less what went out, micro-dollars.

/** Over days back from now; transfers between accounts of one sort cancel out. */
function netFlowOf(world: World, trader: number, days: number, atMs: TapeMs) {
  const history = traderHistories(world).of(trader)
  const now = depositsAt(history, atMs)
  const before = depositsAt(history, periodStart(days, atMs))
  return { perp: subtract(now.perp, before.perp), spot: subtract(now.spot, before.spot) }
}
