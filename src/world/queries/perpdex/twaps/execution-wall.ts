/** What running TWAPs have yet to trade, spread over the time until each one's planned end. */

import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { TwapWall } from '../../../../contract/records/twap.ts'
import {
  add,
  portion,
  type Quantity,
  type Sz,
  subtract,
  times,
  type Usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { type InstrumentRow, szText, usdText } from '../../../schema.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import type { TwapProgress } from './twap-progress.ts'

interface WallBucket {
  buySz: Sz
  sellSz: Sz
  buyVal: Usd
  sellVal: Usd
}

/** Intervals lie on the clock that clients are shown; sizes are null unless all are of one coin. */
export function executionWall(
  running: readonly TwapProgress[],
  { atMs, shiftMs }: Moment,
  lengthMs: number,
  coin: InstrumentRow | null,
): Omit<TwapWall, 'coin' | 'time'> {
  const startMs = wholeStep(atMs, shiftMs, lengthMs)
  const lastMs = Math.max(atMs, ...running.map(({ row }) => row.plannedEndMs - 1))
  const count = running.length === 0 ? 0 : Math.floor((lastMs - startMs) / lengthMs) + 1
  const loads = Array.from({ length: count }, emptyBucket)
  const total = emptyBucket()
  for (const one of running) {
    put(total, one, one.left, one.value)
    loads.forEach((load, at) => {
      const fromMs = later(startMs, at * lengthMs)
      const toMs = later(fromMs, lengthMs)
      const due = <Q extends Quantity>(of: Q): Q =>
        subtract(executedBy(one, of, atMs, toMs), executedBy(one, of, atMs, fromMs))
      put(load, one, due(one.left), due(one.value))
    })
  }
  const sells = running.filter(({ row }) => row.side === 'A').length
  return {
    buyCount: running.length - sells,
    sellCount: sells,
    ...bucketValues(total),
    wall: loads.map((load, at) => ({
      time: startMs + at * lengthMs,
      buySz: coin && szText(coin, load.buySz),
      sellSz: coin && szText(coin, load.sellSz),
      ...bucketValues(load),
    })),
  }
}

const emptyBucket = (): WallBucket => ({ buySz: ZERO, sellSz: ZERO, buyVal: ZERO, sellVal: ZERO })

/** How much of an amount that is left will be traded by an instant. */
function executedBy<Q extends Quantity>(
  { row }: TwapProgress,
  left: Q,
  atMs: TapeMs,
  byMs: TapeMs,
): Q {
  if (byMs <= atMs) return times(left, 0)
  if (byMs >= row.plannedEndMs) return left
  return portion(left, byMs - atMs, row.plannedEndMs - atMs)
}

function put(load: WallBucket, { row }: TwapProgress, sz: Sz, value: Usd): void {
  if (row.side === 'B') {
    load.buySz = add(load.buySz, sz)
    load.buyVal = add(load.buyVal, value)
  } else {
    load.sellSz = add(load.sellSz, sz)
    load.sellVal = add(load.sellVal, value)
  }
}

const bucketValues = ({ buyVal, sellVal }: WallBucket) => ({
  buyVal: usdText(buyVal),
  sellVal: usdText(sellVal),
  netVal: usdText(subtract(buyVal, sellVal)),
})
