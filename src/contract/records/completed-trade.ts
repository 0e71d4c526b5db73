import { Address, Coin, Decimal, type Static, TimeMs, TimeMsDigits, Type } from '../schema.ts'

const TradeDirection = Type.Union([Type.Literal('long'), Type.Literal('short')], {
  title: 'TradeDirection',
})

const tradeResultFields = {
  coin: Coin(),
  side: TradeDirection,
  entryPrice: Decimal('average price of what opened it'),
  exitPrice: Decimal('average price of what closed it'),
  pnl: Decimal('price PnL in USD, without fees and funding'),
  pnlPercent: Decimal('pnl over the entry notional, percent'),
  openTime: TimeMs('when it was opened'),
  closeTime: TimeMs('when it was flat again'),
}

/** A position from open to flat. */
export const CompletedTrade = Type.Object(
  { ...tradeResultFields, size: Decimal('sum of what opened it') },
  { title: 'CompletedTrade', additionalProperties: false },
)
export type CompletedTrade = Static<typeof CompletedTrade>

/** One of the best. */
export const BestTrade = Type.Object(tradeResultFields, {
  title: 'BestTrade',
  additionalProperties: false,
})
export type BestTrade = Static<typeof BestTrade>

/** A page of completed trades. */
export const TradePage = Type.Object(
  {
    list: Type.Array(CompletedTrade),
    total: Type.Integer(),
    pageNum: Type.Integer(),
    pageSize: Type.Integer(),
  },
  { title: 'TradePage', additionalProperties: false },
)
export type TradePage = Static<typeof TradePage>

/** The form in which the service was seen to list them. */
export const ObservedCompletedTrade = Type.Object(
  {
    coin: Coin(),
    direction: TradeDirection,
    entryPrice: Decimal('average price of what opened it'),
    closePrice: Decimal('average price of what closed it'),
    size: Decimal('sum of what opened it'),
    pnl: Decimal('price PnL in USD'),
    totalFee: Decimal('fees, USD'),
    marginMode: Type.Union([Type.Literal('cross'), Type.Literal('isolated')]),
    startTime: TimeMsDigits('when it was opened, ms'),
    endTime: TimeMsDigits('when it was flat again, ms'),
  },
  { title: 'ObservedCompletedTrade', additionalProperties: false },
)
export type ObservedCompletedTrade = Static<typeof ObservedCompletedTrade>

/** Results of a coin. */
export const CoinPerformance = Type.Object(
  {
    coin: Coin(),
    tradeCount: Type.Integer(),
    winCount: Type.Integer(),
    lossCount: Type.Integer(),
    winRate: Decimal('winners, percent'),
    totalPnl: Decimal('USD'),
    avgPnl: Decimal('USD'),
  },
  { title: 'CoinPerformance', additionalProperties: false },
)
export type CoinPerformance = Static<typeof CoinPerformance>

const statFields = {
  closePosCount: Type.Integer({ description: 'positions closed in the period' }),
  maxDrawdown: Decimal('fraction'),
  orderCount: Type.Integer({ description: 'orders placed in the period' }),
  totalPnl: Decimal('price PnL of the positions closed, USD'),
  winRate: Decimal('fraction of the positions closed'),
}

/** Figures of an account over a period. */
export const AddressStat = Type.Object(
  { avgPosDuration: Decimal('seconds'), ...statFields },
  { title: 'AddressStat', additionalProperties: false },
)
export type AddressStat = Static<typeof AddressStat>

/** The same in a batch: the duration is a number here. */
export const BatchAddressStat = Type.Object(
  { address: Address(), avgPosDuration: Type.Integer({ description: 'seconds' }), ...statFields },
  { title: 'BatchAddressStat', additionalProperties: false },
)
export type BatchAddressStat = Static<typeof BatchAddressStat>
