import { DaysBack } from '../look-back.ts'
import {
  Address,
  Batch,
  Coin,
  Decimal,
  Limit,
  Nullable,
  OneOf,
  PageNumber,
  type Static,
  TimeIso,
  TimeMs,
  Type,
  WithDefault,
} from '../schema.ts'
import { PnlCurve } from './completed-trade.ts'

const exact = { additionalProperties: false }

const account = {
  address: Address(),
  builderPerpValue: Decimal('equity on builder dexes, not in totalValue, USD'),
  currentPosition: Type.Integer({ description: 'open positions on the main dex' }),
  effLeverage: Decimal('position value over equity on the main dex'),
  lastOperationAt: TimeMs('newest order or fill, ms; 0 before the first'),
  leverage: Nullable(Decimal('always null')),
  marginUsage: Decimal('margin used on the main dex, USD'),
  marginUsageRate: Decimal('margin used over equity on the main dex, a fraction'),
  perpValue: Decimal('equity on the main dex, USD'),
  spotValue: Decimal('spot balances at their prices, USD'),
  totalValue: Decimal('net value of the account, USD'),
}

/** The value of an account (the service's documentation, Account). */
export const TraderAccount = Type.Object(account, { ...exact, title: 'TraderAccount' })
export type TraderAccount = Static<typeof TraderAccount>

/**
 * Value and trading results of an account in a period (the service's documentation, Statistics).
 */
export const TraderStatistics = Type.Object(
  {
    ...account,
    avgHoldingSec: Type.Integer({ description: 'mean time a closed position was held, seconds' }),
    longPnl: Decimal('realised by long positions, USD'),
    longWr: Decimal('fraction of profitable long positions'),
    pnlList: Nullable(PnlCurve),
    positions: Type.Integer({ description: 'positions closed' }),
    profitPositions: Type.Integer({ description: 'of these, with a profit' }),
    realizedPnl: Decimal('realised by positions closed, without fees and funding, USD'),
    shortPnl: Decimal('realised by short positions, USD'),
    shortWr: Decimal('fraction of profitable short positions'),
    winRate: Decimal('profitPositions / positions, a fraction'),
  },
  { ...exact, title: 'TraderStatistics' },
)
export type TraderStatistics = Static<typeof TraderStatistics>

const number = (description: string) => Type.Number({ description })
const integer = (description: string) => Type.Integer({ description })
const pnl = (description: string) =>
  Type.String({ pattern: '^-?\\d+\\.\\d{10}$', description: `${description}, USD, 10 decimals` })

/** Every column that can be selected; ratios are JSON numbers, money is text. */
const columns = {
  address: Address(),
  avgDurationMin: number('mean time a closed position was held, minutes'),
  positionCount: integer('positions closed in the period'),
  winRate: number('fraction of profitable ones'),
  longWinRate: number('fraction of profitable long ones'),
  shortWinRate: number('fraction of profitable short ones'),
  longRatio: number('fraction of long ones'),
  totalPnl: pnl('realised by them'),
  longPnl: pnl('realised by the long ones'),
  shortPnl: pnl('realised by the short ones'),
  avgLeverage: Decimal('mean leverage'),
  sharpe: Nullable(number('annualised mean over deviation of the daily returns in the period')),
  ddDrawdown: number('max drawdown in the period, a fraction'),
  snapTotalValue: Decimal('net value of the account, USD'),
  snapPerpValue: Decimal('equity on the main dex, USD'),
  snapSpotValue: Decimal('spot balances at their prices, USD'),
  snapTotalMarginUsed: Decimal('margin used on the main dex, USD'),
  snapMarginUsageRate: number('margin used over equity on the main dex, a fraction'),
  snapEffLeverage: Nullable(Decimal('position value over equity; null without a position')),
  snapUnrealizedPnl: Decimal('unrealised PnL on the main dex, USD'),
  snapPositionCount: integer('open positions on the main dex'),
  snapPositionValue: Decimal('their value, USD'),
  snapLongPositionCount: integer('long ones'),
  snapLongPositionValue: Decimal('value of the long ones, USD'),
  snapShortPositionCount: integer('short ones'),
  snapShortPositionValue: Decimal('value of the short ones, USD'),
  oaLastOrderAt: Nullable(TimeIso('when the newest order was placed; null without orders')),
  pnlList: PnlCurve,
  tags: Type.Array(Type.String(), { description: 'tags of the trader' }),
}

export type TraderColumn = keyof typeof columns

/** Names of all columns. */
export const TRADER_COLUMNS = Object.keys(columns) as TraderColumn[]

/** The default columns. */
export const DEFAULT_TRADER_COLUMNS: readonly TraderColumn[] = [
  ...(['address', 'avgDurationMin', 'positionCount', 'winRate', 'longRatio'] as const),
  ...(['totalPnl', 'longPnl', 'shortPnl', 'avgLeverage'] as const),
  ...(['snapTotalValue', 'snapPerpValue', 'snapTotalMarginUsed'] as const),
  ...(['snapPositionCount', 'oaLastOrderAt'] as const),
]

const { address, ...others } = columns
const chosen = Type.Partial(Type.Object(others)).properties

/** A trader found: the selected columns. */
export const FoundTrader = Type.Object({ address, ...chosen }, { ...exact, title: 'FoundTrader' })
export type FoundTrader = Static<typeof FoundTrader>

/** A trader found as of an earlier instant. */
export const PastFoundTrader = Type.Object(
  { address, ...chosen, time: TimeMs('its instant') },
  { ...exact, title: 'PastFoundTrader' },
)

const FILTER_OPERATORS = ['>', '>=', '<', '<=', '=', '!=', '<>', 'exist'] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

const TraderFilter = Type.Object(
  {
    field: Type.String({ description: 'a column' }),
    op: Type.Optional(WithDefault(OneOf([...FILTER_OPERATORS], 'comparison'), '>')),
    val: Type.Optional(
      Type.Union([Type.Number(), Decimal()], { description: 'number to compare with' }),
    ),
    val2: Type.Optional(
      Type.String({ description: 'text or date to compare with, such as 2026-01-15' }),
    ),
    period: Type.Optional(DaysBack("days back; else the search's own period")),
  },
  { title: 'TraderFilter' },
)
export type TraderFilter = Static<typeof TraderFilter>

const TraderSort = Type.Object(
  {
    field: Type.String({ description: 'a column' }),
    dir: Type.Optional(WithDefault(OneOf(['desc', 'asc', 'DESC', 'ASC'], 'direction'), 'desc')),
  },
  { title: 'TraderSort' },
)

/** Maximum number of names in a list, and of conditions in a search. */
const [NAMES_MAX, FILTERS_MAX] = [500, 100]

const coins = (description: string) =>
  Type.Optional(Type.Array(Coin(), { description, maxItems: NAMES_MAX }))

const flag = (description: string, alias: string) =>
  Type.Optional(WithDefault(Type.Boolean({ description, 'x-alias': [alias] }), false))

/** Maximum number of pages of a search. */
export const SEARCH_PAGES = 20

/** The body of a search for traders. */
export const TraderSearch = Type.Object(
  {
    pageNum: PageNumber(SEARCH_PAGES),
    pageSize: Limit({ default: 20, max: 25 }, 'traders per page'),
    period: WithDefault(DaysBack(), 7),
    sort: Type.Optional(TraderSort),
    tags: Type.Optional(
      Type.Array(Type.String(), { description: 'has all of these tags', maxItems: NAMES_MAX }),
    ),
    coins: coins('held all of these in the period'),
    anyCoins: coins('held any of these in the period'),
    noCoins: coins('held none of these in the period'),
    allCoins: coins('held nothing but these in the period'),
    selects: Type.Optional(
      Type.Array(Type.String(), {
        description: 'columns; the address is always included',
        maxItems: NAMES_MAX,
      }),
    ),
    loadPnls: flag('with `pnlList`', 'LoadPnls'),
    loadTags: flag('with `tags`', 'LoadTags'),
    countOnly: flag('only the number of traders', 'CountOnly'),
    lang: Type.Optional(WithDefault(OneOf(['en', 'cn'], 'language of the tags'), 'en')),
    filters: Type.Optional(
      Type.Array(TraderFilter, { description: 'all of these are true', maxItems: FILTERS_MAX }),
    ),
    addrs: Type.Optional(Batch(Address(), 50, 'only these; those after the first 50 are cut')),
  },
  { title: 'TraderSearch' },
)
export type TraderSearchQuery = Static<typeof TraderSearch>
