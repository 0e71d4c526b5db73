/**
 * Signals: alerts that have fired, strategies, sudden changes (the service's documentation,
 * Signals).
 */

import { later, shownMs as shownAs, tapeAt } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { SignalFacts } from '../../../contract/facts/signal.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { ChangeSignal, StrategyPage } from '../../../contract/records/signal.ts'
import type { AlertSetItem, SignalAlert } from '../../../contract/records/signal-alert.ts'
import type { AlertSetting } from '../../../contract/tenant/alerts.ts'
import { pairPxBefore } from '../../exchanges/pair-tallies.ts'
import { pairsOf } from '../../exchanges/pairs.ts'
import { pxText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { firedAlerts } from './fired-alerts.ts'
import { strategyPage } from './strategy-pages.ts'
import { suddenChangesOf } from './sudden-changes.ts'

export class SignalQueries implements SignalFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  price(symbol: string): string | null {
    const pair = pairsOf(this.world).get(symbol.toLowerCase())
    const px = pair ? pairPxBefore(this.world, pair, later(this.moment.atMs, 1)) : null
    return pair && px !== null ? pxText(pair.instrument, px) : null
  }

  firedAlerts(settings: readonly AlertSetting[]): SignalAlert[] {
    return firedAlerts(this.world, this.moment, settings)
  }

  alertSettings(settings: readonly AlertSetting[]): AlertSetItem[] {
    return settings.map(({ id, symbol, price, subType, shownMs }) => ({
      id: String(id),
      tpKey: symbol,
      setPrice: price,
      subType,
      setTime: String(Math.floor(tapeAt(shownAs(shownMs), this.moment.shiftMs) / 1000)),
    }))
  }

  strategyPage(query: Parameters<SignalFacts['strategyPage']>[0]): Slices<StrategyPage> {
    return strategyPage(this.world, this.moment, query)
  }

  changes(query: Parameters<SignalFacts['changes']>[0]): Slices<ChangeSignal[]> {
    return suddenChangesOf(this.world, this.moment, query)
  }
}
