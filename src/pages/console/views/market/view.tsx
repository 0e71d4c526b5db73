/** A coin: candles, book and trades, live. */

import type { ComponentChildren } from 'preact'
import type { FullDepth } from '../../../../clients/service/contract/records.ts'
import { withAlpha } from '../../parts/chart.ts'
import { Choice } from '../../parts/choice.tsx'
import { ICONS } from '../../parts/icon.tsx'
import { Gate, Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Canvas, type Drawing } from '../../parts/time-chart.tsx'
import { useFetched } from '../../session/asking.ts'
import { era } from '../../session/connection.ts'
import { numberText, shortText } from '../../shell/formats.ts'
import { useCommands, useShortcut } from '../../shell/menu.ts'
import type { View } from '../../shell/route.ts'
import { changeQuery, go, route } from '../../shell/route.ts'
import { DriveKeys } from '../drive/playback-panel.tsx'
import { BookLadder } from './book-ladder.tsx'
import { CandleChart } from './candle-chart.tsx'
import { CANDLE_INTERVALS, candleInterval } from './candle-window.ts'
import { ListedCoin, pairKey, priceDecimals } from './coin-head.tsx'
import { TradeTape } from './trade-tape.tsx'
import { say } from './words.ts'

export const marketView: View = {
  id: 'market',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.chart,
  component: Market,
}

const USUAL_COIN = 'BTC'

function Market() {
  const { path, query } = route.value
  const coin = path[0] ?? USUAL_COIN
  const interval = candleInterval(query.interval)
  const pick = (name: string) => changeQuery({ interval: name })
  useIntervalKeys(interval.name, pick)
  const tools = (
    <Choice
      label={say('interval')}
      value={interval.name}
      options={CANDLE_INTERVALS.map(({ name }) => ({ value: name as string, text: name }))}
      onPick={pick}
    />
  )
  return (
    <div class="market">
      <Gate>
        <DriveKeys />
      </Gate>
      <ListedCoin
        coin={coin}
        onPick={(picked) => go('market', [picked], { interval: query.interval })}
      >
        <CoinPanels coin={coin} interval={interval} tools={tools} />
      </ListedCoin>
    </div>
  )
}

interface CoinPanelsProps {
  coin: string
  interval: ReturnType<typeof candleInterval>
  tools: ComponentChildren
}

function CoinPanels({ coin, interval, tools }: CoinPanelsProps) {
  return (
    <>
      <Panel title={say('candles')} class="candles" tools={tools} isFlush>
        <CandleChart coin={coin} interval={interval} />
      </Panel>
      <BookLadder key={`book ${coin}`} coin={coin} />
      <TradeTape coin={coin} />
      <DepthCurve key={`depth ${coin}`} coin={coin} />
    </>
  )
}

function useIntervalKeys(name: string, pick: (name: string) => void): void {
  const at = CANDLE_INTERVALS.findIndex((one) => one.name === name)
  const move = (by: number) => {
    const next = CANDLE_INTERVALS[at + by]
    if (next) pick(next.name)
  }
  useShortcut(
    ']',
    () => say('nextInterval'),
    () => move(1),
  )
  useShortcut(
    '[',
    () => say('lastInterval'),
    () => move(-1),
  )
  useCommands(
    () =>
      CANDLE_INTERVALS.map((one) => ({
        title: `${say('candles')} ${one.name}`,
        run: () => pick(one.name),
      })),
    [],
  )
}

// Cumulative depth of the whole book, both sides.

/** Shown range around the price, as a fraction. */
const REACH = 0.01

function DepthCurve({ coin }: { coin: string }) {
  const dbKey = pairKey(coin)
  const depth = useFetched(
    async ({ account }) =>
      dbKey === null ? null : account.futures.fullDepth({ query: { dbKey } }),
    { of: [coin, era.value], everyMs: 2000 },
  )
  return (
    <Panel title={say('depth')} class="depth" isFlush>
      {dbKey === null ? (
        <p class="note">{say('noDepth')}</p>
      ) : (
        <Shown of={depth}>{(book) => book && <Curve book={book} coin={coin} />}</Shown>
      )}
    </Panel>
  )
}

function Curve({ book, coin }: { book: FullDepth; coin: string }) {
  return (
    <div class="canvas-place">
      <Canvas
        label={say('depthOf', { coin })}
        of={[book]}
        draw={(drawing) => drawDepth(drawing, book)}
      />
    </div>
  )
}

interface Point {
  price: number
  sum: number
}

function drawDepth(drawing: Drawing, { bids, asks }: FullDepth): void {
  const { context, width, height, letterPx, colors } = drawing
  const [bestBid, bestAsk] = [Number(bids[0]?.[0]), Number(asks[0]?.[0])]
  const middle = (bestBid + bestAsk) / 2
  if (!Number.isFinite(middle)) return
  const [from, to] = [middle * (1 - REACH), middle * (1 + REACH)]
  const sides = [sumsOf(bids, from, to), sumsOf(asks, from, to)] as const
  const most = Math.max(...sides.map((side) => side.at(-1)?.sum ?? 0), Number.MIN_VALUE)
  const floor = height - letterPx * 1.8
  const x = (price: number) => ((price - from) / (to - from)) * width
  const y = (sum: number) => floor - (sum / most) * (floor - letterPx * 1.6)
  context.clearRect(0, 0, width, height)
  drawSide(context, sides[0], colors.up, { x, y, floor, end: 0, start: x(bestBid) })
  drawSide(context, sides[1], colors.down, { x, y, floor, end: width, start: x(bestAsk) })
  context.fillStyle = colors.faint
  context.textBaseline = 'bottom'
  const digits = priceDecimals(middle)
  const marks = [
    [from, 'left', 4],
    [middle, 'center', width / 2],
    [to, 'right', width - 4],
  ] as const
  for (const [price, align, left] of marks) {
    context.textAlign = align
    context.fillText(numberText(price, digits), left, height - 3)
  }
  context.textBaseline = 'top'
  context.textAlign = 'left'
  context.fillText(shortText(sides[0].at(-1)?.sum ?? 0), 6, 4)
  context.textAlign = 'right'
  context.fillText(shortText(sides[1].at(-1)?.sum ?? 0), width - 6, 4)
}

interface SidePlace {
  x(price: number): number
  y(sum: number): number
  floor: number
  start: number
  end: number
}

function drawSide(
  context: CanvasRenderingContext2D,
  points: readonly Point[],
  color: string,
  { x, y, floor, start, end }: SidePlace,
): void {
  context.beginPath()
  context.moveTo(start, floor)
  let last = floor
  for (const { price, sum } of points) {
    context.lineTo(x(price), last)
    last = y(sum)
    context.lineTo(x(price), last)
  }
  context.lineTo(end, last)
  context.strokeStyle = color
  context.lineWidth = 1.5
  context.stroke()
  context.lineTo(end, floor)
  context.closePath()
  context.fillStyle = withAlpha(color, 0.14)
  context.fill()
}

function sumsOf(levels: FullDepth['bids'], from: number, to: number): Point[] {
  let sum = 0
  return levels.flatMap(([px, quantity]) => {
    const price = Number(px)
    sum += Number(quantity)
    return price < from || price > to ? [] : [{ price, sum }]
  })
}
