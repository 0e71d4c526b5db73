/** Liquidation prices of a coin's positions, by price and over a day, with the price. */

import { useSignal } from '@preact/signals'
import type { EstimatedLiquidation } from '../../../../clients/service/contract/records.ts'
import { withAlpha } from '../../parts/chart.ts'
import { Choice } from '../../parts/choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { Canvas, type Drawing } from '../../parts/time-chart.tsx'
import { useFetched } from '../../session/asking.ts'
import { era, type Session } from '../../session/connection.ts'
import { dollarText, numberText, timeText } from '../../shell/formats.ts'
import { pairKey, roundStep } from '../market/coin-head.tsx'
import { AddressLink } from '../traders/trader-tables.tsx'
import { say } from './words.ts'

const COLUMNS = 96
const COLUMN_MS = 15 * 60_000

/** Between two times on the axis: whole hours. */
const TICK_MS = 4 * 3_600_000

/** Range around the price, as a fraction. */
const REACH = 0.16

/** Approximate number of price labels. */
const PRICE_LABELS = 8

export function LiquidationHeatmap({ coin }: { coin: string }) {
  const cycle = useSignal<'24h' | '7d'>('24h')
  const requested = useFetched((session) => heatmap(session, coin, cycle.value), {
    of: [coin, cycle.value, era.value],
    everyMs: 5000,
  })
  const tools = (
    <Choice
      label={say('cycle')}
      value={cycle.value}
      options={[
        { value: '24h', text: '24h' },
        { value: '7d', text: '7d' },
      ]}
      onPick={(picked) => {
        cycle.value = picked
      }}
    />
  )
  return (
    <Panel title={say('heatmap')} class="heatmap" isFlush tools={tools}>
      <Shown of={requested}>
        {(map) => (
          <div class="canvas-place">
            <Canvas
              label={say('heatmapOf', { coin })}
              of={[map]}
              draw={(drawing) => drawHeatmap(drawing, map)}
            />
          </div>
        )}
      </Shown>
    </Panel>
  )
}

interface Heatmap {
  columns: EstimatedLiquidation[]
  /** For the same intervals. */
  prices: { time: number; close: number }[]
}

async function heatmap({ account }: Session, coin: string, cycle: '24h' | '7d'): Promise<Heatmap> {
  const [columns, candles] = await Promise.all([
    account.futures.estimatedLiquidationHistory({
      query: { dbkey: pairKey(coin) ?? '', cycle, limit: COLUMNS },
    }),
    account.perpdex.klinesWithTakerVol({
      path: { coin, interval: '15m' },
      query: { limit: COLUMNS },
    }),
  ])
  const prices = candles.map(({ openTime, close }) => ({ time: openTime, close: Number(close) }))
  return { columns, prices }
}

interface Cell {
  time: number
  from: number
  to: number
  usd: number
  side: 'long' | 'short'
}

function drawHeatmap(drawing: Drawing, { columns, prices }: Heatmap): void {
  const { context, width, height, letterPx, colors } = drawing
  const last = prices.at(-1)?.close ?? 0
  const [start, end] = [columns[0]?.time ?? 0, (columns.at(-1)?.time ?? 0) + COLUMN_MS]
  const [low, high] = [last * (1 - REACH), last * (1 + REACH)]
  const scaleWidth = letterPx * 5
  const [right, floor] = [width - scaleWidth, height - letterPx * 1.7]
  const x = (time: number) => ((time - start) / (end - start)) * right
  const y = (price: number) => floor - ((price - low) / (high - low)) * floor
  const cells = columns.flatMap(cellsOf)
  const most = Math.max(...cells.map(({ usd }) => usd), 1)
  context.clearRect(0, 0, width, height)
  context.save()
  context.beginPath()
  context.rect(0, 0, right, floor)
  context.clip()
  for (const { time, from, to, usd, side } of cells) {
    context.fillStyle = withAlpha(
      side === 'long' ? colors.down : colors.up,
      0.9 * (usd / most) ** 0.5,
    )
    const [left, top] = [Math.round(x(time)), Math.round(y(to))]
    const [right, bottom] = [Math.round(x(time + COLUMN_MS)), Math.round(y(from))]
    context.fillRect(left, top, right - left, bottom - top)
  }
  context.beginPath()
  for (const { time, close } of prices) context.lineTo(x(time + COLUMN_MS / 2), y(close))
  context.strokeStyle = colors.text
  context.lineWidth = 1.5
  context.stroke()
  context.restore()
  drawScales(drawing, { low, high, start, end, right, floor, x, y })
  context.fillStyle = colors.faint
  context.textAlign = 'left'
  context.textBaseline = 'top'
  context.fillText(say('mostPerCell', { usd: dollarText(most) }), 8, 6)
}

interface Scales {
  low: number
  high: number
  start: number
  end: number
  right: number
  floor: number
  x(time: number): number
  y(price: number): number
}

function drawScales({ context, letterPx, colors }: Drawing, at: Scales): void {
  const { low, high, start, end, right, floor, x, y } = at
  context.fillStyle = colors.faint
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  const step = roundStep((high - low) / PRICE_LABELS)
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  for (let price = Math.ceil(low / step) * step; price < high; price += step)
    if (y(price) > letterPx / 2) context.fillText(numberText(price, digits), right + 6, y(price))
  context.textBaseline = 'bottom'
  context.textAlign = 'center'
  for (let time = Math.ceil(start / TICK_MS) * TICK_MS; time < end; time += TICK_MS)
    if (x(time) > 2 * letterPx && x(time) < right - 2 * letterPx)
      context.fillText(timeText(time).slice(0, 5), x(time), floor + letterPx * 1.5)
  context.strokeStyle = colors.line
  context.lineWidth = 1
  context.strokeRect(-1, -1, right + 1, floor + 1)
}

function cellsOf({ time, data_map }: EstimatedLiquidation): Cell[] {
  const sums = new Map<string, Cell>()
  for (const cells of Object.values(data_map))
    for (const side of ['long', 'short'] as const)
      for (const [from, to, usd] of cells?.[side] ?? []) {
        const key = `${side} ${from}`
        const known = sums.get(key)?.usd ?? 0
        sums.set(key, { time, from: Number(from), to: Number(to), usd: known + Number(usd), side })
      }
  return [...sums.values()]
}

// The largest liquidations of a coin in the last day, newest first.

/** Number of largest ones. */
const MOST = 50

export function FallingLiquidations({ coin }: { coin: string }) {
  const requested = useFetched(
    async ({ account }) => {
      const rows = await account.perpdex.liquidationsTopPositions({
        query: { coin, interval: '1d', limit: MOST },
      })
      return rows.sort((a, b) => b.time - a.time)
    },
    { of: [coin, era.value], everyMs: 1500 },
  )
  return (
    <Panel title={say('falling')} class="falling" isFlush>
      <Shown
        of={requested}
        isEmpty={({ length }) => length === 0}
        emptyText={say('noLiquidations')}
      >
        {(rows) => (
          <Table
            label={say('falling')}
            rows={rows}
            keyOf={({ oid, time, address }) => `${oid} ${time} ${address}`}
            columns={[
              { title: say('time'), cell: ({ time }) => timeText(time) },
              {
                title: say('side'),
                cell: ({ direction }) => (
                  <span class={direction === 'long' ? 'down' : 'up'}>{say(direction)}</span>
                ),
              },
              {
                title: say('value'),
                isNumber: true,
                cell: ({ liquidatedVal }) => dollarText(liquidatedVal),
              },
              {
                title: say('price'),
                isNumber: true,
                isMinor: true,
                cell: ({ liqPrice }) => numberText(liqPrice),
              },
              { title: say('loss'), isNumber: true, cell: ({ pnl }) => dollarText(pnl) },
              { title: say('trader'), cell: ({ address }) => <AddressLink address={address} /> },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}
