/** Signals: alerts that have rung, strategies, sudden changes (spec, Signals). */

import { shownMs as shownAs, tapeAt } from '../../../clock/instant.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { ChangeSignal, StrategyPage } from '../../../contract/records/signal.ts'
import type { AlertSetItem, SignalAlert } from '../../../contract/records/signal-alert.ts'
import type { AlertSetting } from '../../../contract/tenant/alerts.ts'
import { pxText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { priceOn } from '../indicators/venue.ts'
import { lastPx } from '../market.ts'
import { pairsOf } from '../pairs.ts'
import { rungAlerts } from './alerts.ts'
import { changesOf } from './changes.ts'
import { strategyPage } from './strategies.ts'

type Asked = Facts['signals']

export class Signals implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  price(symbol: string): string | null {
    const pair = pairsOf(this.world).get(symbol.toLowerCase())
    const px = pair ? lastPx(this.world, pair.instrument, this.moment.atMs) : null
    return pair && px !== null ? pxText(pair.instrument, priceOn(pair, px)) : null
  }

  rung(settings: readonly AlertSetting[]): SignalAlert[] {
    return rungAlerts(this.world, this.moment, settings)
  }

  settings(settings: readonly AlertSetting[]): AlertSetItem[] {
    return settings.map(({ id, symbol, price, subType, shownMs }) => ({
      id: String(id),
      tpKey: symbol,
      setPrice: price,
      subType,
      setTime: String(Math.floor(tapeAt(shownAs(shownMs), this.moment.shiftMs) / 1000)),
    }))
  }

  strategy(query: Parameters<Asked['strategy']>[0]): StrategyPage {
    return strategyPage(this.world, this.moment, query)
  }

  changes(query: Parameters<Asked['changes']>[0]): ChangeSignal[] {
    return changesOf(this.world, this.moment, query)
  }
}
