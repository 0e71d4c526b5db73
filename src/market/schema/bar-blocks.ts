/** Minute bars of one instrument as one blob: a few bytes each. */
import { type BarColumns, emptyBars } from '../bars/bar-columns.ts'
import { NumberReader, NumberWriter } from './number-stream.ts'

/** Bars in a row; prices in price units, sizes in size units. */
export interface BarBlock extends BarColumns {
  /** What the crowd is long at the end of the minute; 0 for spot. */
  interest: Float64Array
}

/** A bar opens where the one before closed, unless it says otherwise; sizes are whole lots. */
export function packBars(block: BarBlock, from: number, to: number, lot: number): Uint8Array {
  const bytes = new NumberWriter()
  for (const fact of [to - from, lot, block.open[from] as number]) bytes.add(fact)
  let [price, interest] = [block.open[from] as number, 0]
  for (let at = from; at < to; at++) {
    const [open, close] = [block.open[at] as number, block.close[at] as number]
    const isApart = open === price ? 0 : 1
    bytes.add(4 * (block.trades[at] as number) + 2 * isApart + (block.highFirst[at] as number))
    if (isApart) bytes.add(open - price)
    bytes.add(close - open)
    bytes.add((block.high[at] as number) - Math.max(open, close))
    bytes.add(Math.min(open, close) - (block.low[at] as number))
    bytes.add((block.bought[at] as number) / lot)
    bytes.add((block.sold[at] as number) / lot)
    const nextInterest = (block.interest[at] as number) / lot
    bytes.add(nextInterest - interest)
    interest = nextInterest
    price = close
  }
  return bytes.finish()
}

export function unpackBars(blob: Uint8Array): BarBlock {
  const bytes = new NumberReader(blob)
  const minutes = bytes.next()
  const block = { ...emptyBars(minutes), interest: new Float64Array(minutes) }
  const lot = bytes.next()
  let [price, interest] = [bytes.next(), 0]
  for (let at = 0; at < block.open.length; at++) {
    const trades = bytes.next()
    block.trades[at] = Math.floor(trades / 4)
    block.highFirst[at] = trades % 2
    const open = Math.floor(trades / 2) % 2 === 0 ? price : price + bytes.next()
    const close = open + bytes.next()
    block.open[at] = open
    block.close[at] = close
    block.high[at] = Math.max(open, close) + bytes.next()
    block.low[at] = Math.min(open, close) - bytes.next()
    block.bought[at] = bytes.next() * lot
    block.sold[at] = bytes.next() * lot
    interest += bytes.next()
    block.interest[at] = interest * lot
    price = close
  }
  return block
}
