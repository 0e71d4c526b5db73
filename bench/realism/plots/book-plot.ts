/** A book with its orders: what stands up to each distance, and each order by its value. */
import type { FullDepth } from '../../../src/contract/records/depth.ts'
import type { TopOpenOrder } from '../../../src/contract/records/order.ts'
import { dollarText, drawing, short, textAt } from '../../../src/server/commands/drawing/panel.ts'
import { STYLE } from './marks.ts'

const [WIDTH, HEIGHT] = [960, 560]
/** Distance from the middle that is drawn, basis points. */
const REACH = 60
const [LEFT, RIGHT] = [74, WIDTH - 16]
const CURVE = { top: 50, bottom: 260 }
const ORDERS = { top: 300, bottom: 520, leastUsd: 10, mostUsd: 1e7 }

export function bookPlot(
  title: string,
  book: Pick<FullDepth, 'bids' | 'asks'>,
  orders: readonly TopOpenOrder[],
): string {
  const middle = (Number(book.bids[0]?.[0]) + Number(book.asks[0]?.[0])) / 2
  const away = (px: number) => 1e4 * (px / middle - 1)
  const x = (bp: number) => LEFT + ((bp + REACH) / (2 * REACH)) * (RIGHT - LEFT)
  const near = (bp: number) => Math.abs(bp) <= REACH
  const curves = (['bids', 'asks'] as const).map((side) => {
    let usd = 0
    return book[side].map(([px, sz]) => {
      usd += Number(px) * Number(sz)
      return { bp: away(Number(px)), usd }
    })
  })
  const most = Math.max(
    ...curves
      .flat()
      .filter(({ bp }) => near(bp))
      .map(({ usd }) => usd),
  )
  const yOf = (usd: number) => CURVE.bottom - (usd / most) * (CURVE.bottom - CURVE.top)
  const logY = (usd: number) => {
    const part = Math.log(usd / ORDERS.leastUsd) / Math.log(ORDERS.mostUsd / ORDERS.leastUsd)
    return ORDERS.bottom - part * (ORDERS.bottom - ORDERS.top)
  }
  const rule = (y: number, text: string) =>
    [
      `<path class="rule" d="M${LEFT} ${short(y)}H${RIGHT}"/>`,
      textAt([LEFT - 5, y + 4], text, 'end'),
    ].join('')
  const shown = orders.filter(({ limitPx }) => near(away(Number(limitPx))))
  const dots = (side: 'B' | 'A') =>
    shown
      .filter((order) => order.side === side)
      .map(
        ({ limitPx, val }) => `M${short(x(away(Number(limitPx))))} ${short(logY(Number(val)))}h1.4`,
      )
      .join('')
  const distances = [-60, -40, -20, 0, 20, 40, 60]
  return drawing(
    title,
    { width: WIDTH, height: HEIGHT },
    [
      textAt([LEFT, CURVE.top - 8], 'value of the book up to a distance from its middle, dollars'),
      ...[0, 0.25, 0.5, 0.75, 1].map((part) => rule(yOf(part * most), dollarText(part * most))),
      ...curves.map((list, at) => {
        const steps = list
          .filter(({ bp }) => near(bp))
          .map(({ bp, usd }) => `H${short(x(bp))}V${short(yOf(usd))}`)
        const path = `M${short(x(0))} ${CURVE.bottom}${steps.join('')}`
        return `<path class="line ${at === 0 ? 'up' : 'down'}" d="${path}"/>`
      }),
      textAt([LEFT, ORDERS.top - 8], `its ${shown.length} open orders by value, dollars`),
      ...[1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7].map((usd) => rule(logY(usd), dollarText(usd))),
      `<path class="up" stroke-width="1.4" d="${dots('B')}"/>`,
      `<path class="down" stroke-width="1.4" d="${dots('A')}"/>`,
      ...distances.map((bp) => textAt([x(bp), ORDERS.bottom + 16], `${bp} bp`, 'middle')),
    ],
    STYLE,
  )
}
