/** Trades of a coin in real time, newest first. */

import { useEffect, useMemo } from 'preact/hooks'
import type { Trade } from '../../../../clients/service/contract/records.ts'
import { Panel } from '../../parts/panel.tsx'
import { say as sayPart } from '../../parts/part-words.ts'
import { NoPush } from '../../parts/shown.tsx'
import { Newest, useStream } from '../../session/asking.ts'
import { era } from '../../session/connection.ts'
import { numberText, timeText } from '../../shell/formats.ts'
import { linkTo } from '../../shell/route.ts'
import { say } from './words.ts'

const MOST_TRADES = 60

/** Minimum value of a marked trade, dollars. */
const LARGE_USD = 100_000

export function TradeTape({ coin }: { coin: string }) {
  const trades = useMemo(() => new Newest<Trade>(MOST_TRADES), [coin])
  useEffect(() => trades.clear(), [trades, era.value])
  const refusal = useStream('trades', { coin }, (pushed, { isSnapshot }) => {
    const ours = pushed.filter((trade) => trade.coin === coin)
    // A snapshot is newest first.
    trades.add(isSnapshot || isNewestFirst(ours) ? ours.toReversed() : ours)
  })
  const rows = trades.shown.value
  return (
    <Panel title={say('trades')} class="trades" isFlush>
      <div class="trade-head">
        <span>{say('price')}</span>
        <span>{say('size')}</span>
        <span>{say('time')}</span>
      </div>
      {rows.length === 0 && <NoPush refusal={refusal.value} text={sayPart('nothing')} />}
      <div class="trade-rows">
        {rows.map((trade, index) => (
          <TradeRow key={index} trade={trade} />
        ))}
      </div>
    </Panel>
  )
}

const isNewestFirst = (trades: readonly Trade[]) =>
  (trades[0]?.time ?? 0) > (trades.at(-1)?.time ?? 0)

function TradeRow({ trade }: { trade: Trade }) {
  const isBuy = trade.side === 'B'
  const isLarge = Number(trade.px) * Number(trade.sz) >= LARGE_USD
  const [buyer, seller] = trade.users
  const taker = isBuy ? buyer : seller
  return (
    <a
      class={`trade-row ${isLarge ? (isBuy ? 'large-buy' : 'large-sell') : ''}`}
      href={linkTo('traders', [taker])}
      title={`${isBuy ? say('bought') : say('sold')} · ${taker}`}
    >
      <span class={isBuy ? 'up' : 'down'}>{numberText(trade.px.replace(/\.0$/, ''))}</span>
      <span>{numberText(trade.sz)}</span>
      <span class="faint">{timeText(trade.time)}</span>
    </a>
  )
}
