/** Minute bars of one instrument as one blob: a few bytes each. */
import { NumberReader, NumberWriter } from './number-stream.ts'

/** Bars in a row, a column each; prices in price units, sizes in size units. */
export interface BarBlock {
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
  /** 1 where the high came before the low. */
  highFirst: Uint8Array
  /** What takers bought and sold. */
  bought: Float64Array
  sold: Float64Array
  trades: Float64Array
  /** What the crowd is long at the end of the minute; 0 for spot. */
  interest: Float64Array
}

/** A bar opens where the one before closed; sizes are whole lots. */
export function packBars(block: BarBlock, from: number, to: number, lot: number): Uint8Array {
  const bytes = new NumberWriter()
  for (const fact of [to - from, lot, block.open[from] as number]) bytes.add(fact)
  let [price, interest] = [block.open[from] as number, 0]
  for (let at = from; at < to; at++) {
    const close = block.close[at] as number
    bytes.add(close - price)
    bytes.add((block.high[at] as number) - Math.max(price, close))
    bytes.add(Math.min(price, close) - (block.low[at] as number))
    bytes.add(2 * (block.trades[at] as number) + (block.highFirst[at] as number))
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
  const block = emptyBars(bytes.next())
  const lot = bytes.next()
  let [price, interest] = [bytes.next(), 0]
  for (let at = 0; at < block.open.length; at++) {
    const close = price + bytes.next()
    block.open[at] = price
    block.close[at] = close
    block.high[at] = Math.max(price, close) + bytes.next()
    block.low[at] = Math.min(price, close) - bytes.next()
    const trades = bytes.next()
    block.trades[at] = Math.floor(trades / 2)
    block.highFirst[at] = trades % 2
    block.bought[at] = bytes.next() * lot
    block.sold[at] = bytes.next() * lot
    interest += bytes.next()
    block.interest[at] = interest * lot
    price = close
  }
  return block
}

function emptyBars(minutes: number): BarBlock {
  const column = () => new Float64Array(minutes)
  return {
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    highFirst: new Uint8Array(minutes),
    bought: column(),
    sold: column(),
    trades: column(),
    interest: column(),
  }
}
