/**
 * Effect of fill and ledger rows on a trader's equity. The thread that writes worlds packs it, so
 * this file loads no package.
 */
import { parse } from '../../decimal/quantity.ts'

/** trader.id of the crowd, all accounts that are not traders. It has no rows of its own. */
export const CROWD = 0

/** Role of a trader in the market. `named` traders come from the tape's own addresses. */
export const ROLES = [
  'maker',
  'whale',
  'scalper',
  'twap',
  'swing',
  'builderUser',
  'quiet',
  'liquidated',
  'named',
] as const
export type Role = (typeof ROLES)[number]

/** Whether perpetuals and spot are wallets of their own, or share one margin. */
export const ACCOUNT_MODES = ['separated', 'unified'] as const
export type AccountMode = (typeof ACCOUNT_MODES)[number]

/** Columns of `fill`, in the order of a `FillValues`. */
export const FILL_VALUES = `id, timeMs, account, cashAfter, instrument, positionAfter, costAfter,
  fundingAfter, fundingAtOpen, fundingIndex, leverage, isolated`
/** Columns of `ledger`, in the order of an `EntryValues`. */
export const ENTRY_VALUES = `id, timeMs, account, cashAfter, instrument, positionAfter, costAfter,
  usd, sz, iif(instrument is null, null, delta)`

export type FillValues = readonly number[]
export type EntryValues = readonly (number | string | null)[]

/** Receiver of the changes of a trader's equity. */
export interface TraderRows {
  cash(account: number, timeMs: number, after: number): void
  /** A deposit, negative for a withdrawal; micro-dollars. */
  deposit(account: number, timeMs: number, change: number): void
  /**
   * The fact is the leverage, negative on isolated margin; a row is timeMs, sz, cost, fundingAfter,
   * fundingAtOpen, fundingIndex.
   */
  holding(instrument: number, fact: number, row: readonly number[]): void
}

/** Order of rows: both draw their ids from one counter. */
export const isEarlier = ([idA, timeA]: EntryValues, [idB, timeB]: EntryValues) =>
  Number(timeA) < Number(timeB) || (timeA === timeB && Number(idA) < Number(idB))

/** Adds a fill, which changes the cash of its account and a holding. */
export function addFill(rows: TraderRows, values: FillValues): void {
  // Indexed access: destructuring would dominate the time of packing.
  const [timeMs, leverage] = [values[1] as number, values[10] as number]
  rows.cash(values[2] as number, timeMs, values[3] as number)
  // Leverage and margin mode of a trader on an instrument never change.
  const fact = values[11] === 1 ? -leverage : leverage
  rows.holding(values[4] as number, fact, [timeMs, ...(values.slice(5, 10) as number[])])
}

/** Adds a ledger entry, which changes cash, net deposits, and the tokens it moved. */
export function addEntry(rows: TraderRows, values: EntryValues): void {
  const [, timeMs, account, cash] = values as number[]
  const [instrument, balance, cost, dollars, sz] = values.slice(4) as (number | null)[]
  const delta = values[9] as string | null
  const tokens = delta === null ? 0 : Math.sign(sz ?? 0) * tokenValue(delta)
  const at = timeMs as number
  rows.cash(account as number, at, cash as number)
  const change = (dollars ?? 0) + tokens
  if (change !== 0) rows.deposit(account as number, at, change)
  if (instrument != null && balance != null)
    rows.holding(instrument, 1, [at, balance, cost ?? 0, 0, 0, 0])
}

/** Decimals of money, repeated here because the schema's own module loads packages. */
const MONEY_DECIMALS = 6

/** Value of tokens moved by a ledger row, from the venue's JSON, micro-dollars. */
function tokenValue(delta: string): number {
  const { usdcValue } = JSON.parse(delta) as { usdcValue?: string }
  return usdcValue === undefined ? 0 : parse(usdcValue, MONEY_DECIMALS)
}

/** Traders that exist in every world, with their characteristics. */
export const PERSONAS = {
  star: 'Won exactly 70 % of the positions closed over 30 days, and is ahead.',
  whale: 'Holds positions worth millions, built by large orders, and closed others before.',
  marketMaker: 'Quotes both sides and is never a taker: earns in calm hours, loses in jumps.',
  overLeveraged: 'Holds a position whose liquidation price stays about 2 % from the mark price.',
  twapWorker: 'Works large orders in slices: some 130 of them over, one of them running.',
  liquidatedLastNight: 'Lost a position to a liquidation 8 to 12 hours ago, and stopped.',
  beginner: 'Closed three trades, one of them with a gain, and holds nothing.',
  empty: 'Has an address, and nothing else: no money, no order, no trade.',
  busiest:
    'A program with more than 2,000 fills, 2,000 orders, 1,000 filled orders, 2,000 completed ' +
    'trades, and a position of more than 1,000 executions.',
  unified: 'Trades on unified margin: its spot dollars are what its positions are worth too.',
  depositor: 'Has a share of a vault and, where their coin is traded, staked tokens.',
  borrower:
    'Trades perpetuals with dollars borrowed in its spot account, whose balance is negative.',
  subAccount: 'Trades as a sub-account of the depositor, which brought its money.',
} as const

export type Persona = keyof typeof PERSONAS

export const PERSONA_NAMES = Object.keys(PERSONAS) as [Persona, ...Persona[]]
