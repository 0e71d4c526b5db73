/** What running TWAPs have yet to trade, spread over the time until each one's planned end. */
import type { Moment } from '../../../contract/facts.ts'
import type { TwapWall } from '../../../contract/records/twap.ts'
import { share } from '../../../decimal/scaled.ts'
import { type InstrumentRow, szText, usdText } from '../../schema.ts'
import type { Going } from './progress.ts'

/** Size units and micro-dollars. */
interface Load {
  buySz: number
  sellSz: number
  buyVal: number
  sellVal: number
}

/** Stretches lie on the clock that clients are shown; sizes are null unless all are of one coin. */
export function wallOf(
  going: readonly Going[],
  { atMs, shiftMs }: Moment,
  lengthMs: number,
  coin: InstrumentRow | null,
): Omit<TwapWall, 'coin' | 'time'> {
  const startMs = Math.floor((atMs + shiftMs) / lengthMs) * lengthMs - shiftMs
  const lastMs = Math.max(atMs, ...going.map(({ row }) => row.plannedEndMs - 1))
  const count = going.length === 0 ? 0 : Math.floor((lastMs - startMs) / lengthMs) + 1
  const loads = Array.from({ length: count }, none)
  const total = none()
  for (const one of going) {
    add(total, one, one.left, one.value)
    loads.forEach((load, at) => {
      const [fromMs, toMs] = [startMs + at * lengthMs, startMs + (at + 1) * lengthMs]
      const due = (of: number) => dueBy(one, of, atMs, toMs) - dueBy(one, of, atMs, fromMs)
      add(load, one, due(one.left), due(one.value))
    })
  }
  const sells = going.filter(({ row }) => row.side === 'A').length
  return {
    buyCount: going.length - sells,
    sellCount: sells,
    ...valuesOf(total),
    wall: loads.map((load, at) => ({
      time: startMs + at * lengthMs,
      buySz: coin && szText(coin, load.buySz),
      sellSz: coin && szText(coin, load.sellSz),
      ...valuesOf(load),
    })),
  }
}

const none = (): Load => ({ buySz: 0, sellSz: 0, buyVal: 0, sellVal: 0 })

/** How much of an amount that is left will be traded by an instant. */
function dueBy({ row }: Going, left: number, atMs: number, byMs: number): number {
  if (byMs <= atMs) return 0
  if (byMs >= row.plannedEndMs) return left
  return share(left, byMs - atMs, row.plannedEndMs - atMs)
}

function add(load: Load, { row }: Going, sz: number, value: number): void {
  if (row.side === 'B') {
    load.buySz += sz
    load.buyVal += value
  } else {
    load.sellSz += sz
    load.sellVal += value
  }
}

const valuesOf = ({ buyVal, sellVal }: Load) => ({
  buyVal: usdText(buyVal),
  sellVal: usdText(sellVal),
  netVal: usdText(buyVal - sellVal),
})
