/**
 * Everything that ever changes what a trader owns, in memory: cash of each account, what is held of
 * each instrument, and what came in. Rows of the future are in it too, so ask for the past only.
 */
import type { TapeMs } from '../../../../clock/instant.ts'
import { add, type Px, subtract, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue, unrealisedPnl } from '../../../accounting/margin.ts'
import { tradersOf } from '../../../rows/traders.ts'
import type { InstrumentRow } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { accountChanges, type HeldPosition } from './account-change-rows.ts'

/** Where money can be: the main dex, all builder dexes, spot. */
export type AccountKind = 'main' | 'builder' | 'spot'

/** What a trader owned at an instant, and what had come in by then. */
export interface EquityPoint {
  timeMs: TapeMs
  main: Usd
  builder: Usd
  spot: Usd
  /** Sums of what came in less what went out, tokens at their value then. */
  perpIn: Usd
  spotIn: Usd
}

/** Values that change at instants; a value holds until the next one. */
export interface ValueSeries<T> {
  timesMs: number[]
  values: T[]
}

export interface AccountHistory {
  /** Rows that it was made of. */
  rows: number
  /** Time of the first row; null when there is none. */
  firstMs: TapeMs | null
  accounts: { kind: AccountKind; cash: ValueSeries<Usd> }[]
  holdings: { kind: AccountKind; instrument: InstrumentRow; held: ValueSeries<HeldPosition> }[]
  perpIn: ValueSeries<Usd>
  spotIn: ValueSeries<Usd>
}

/** Reads the account history of a trader. */
export function readAccountHistory(world: World, trader: number): AccountHistory {
  const rows = accountChanges(world, trader)
  const accounts = new Map<number, AccountHistory['accounts'][number]>()
  const holdings = new Map<number, AccountHistory['holdings'][number]>()
  const [perpIn, spotIn] = [emptySeries<Usd>(), emptySeries<Usd>()]
  const kinds = accountKinds(world, trader)
  for (const row of rows) {
    const kind = kinds.get(row.account) ?? 'main'
    const accountState = accounts.get(row.account) ?? { kind, cash: emptySeries<Usd>() }
    accounts.set(row.account, accountState)
    appendValue(accountState.cash, row.timeMs, row.cash)
    if (row.held !== null && row.instrument !== null) {
      const instrument = world.instruments[row.instrument] as InstrumentRow
      const one = holdings.get(instrument.id) ?? {
        kind,
        instrument,
        held: emptySeries<HeldPosition>(),
      }
      holdings.set(instrument.id, one)
      appendValue(one.held, row.timeMs, row.held)
    }
    if (row.netDeposit !== ZERO)
      raise(kind === 'spot' ? spotIn : perpIn, row.timeMs, row.netDeposit)
  }
  const series = {
    accounts: [...accounts.values()],
    holdings: [...holdings.values()],
    perpIn,
    spotIn,
  }
  return { rows: rows.length, firstMs: rows[0]?.timeMs ?? null, ...series }
}

/** What else has to be known of an instant: prices, and the funding that is paid in all. */
export interface Terms {
  price(instrument: InstrumentRow): Px
  paid(instrument: InstrumentRow, held: HeldPosition): Usd
}

/** The equity that a history gives for an instant. */
export function equityPointFrom(
  history: AccountHistory,
  timeMs: TapeMs,
  terms: Terms,
): EquityPoint {
  const point: EquityPoint = {
    timeMs,
    main: ZERO,
    builder: ZERO,
    spot: ZERO,
    perpIn: ZERO,
    spotIn: ZERO,
  }
  for (const { kind, cash } of history.accounts)
    point[kind] = add(point[kind], valueAt(cash, timeMs) ?? ZERO)
  for (const { kind, instrument, held } of history.holdings) {
    const one = valueAt(held, timeMs)
    if (one === undefined) continue
    if (instrument.kind === 'perp') point[kind] = subtract(point[kind], terms.paid(instrument, one))
    if (one.sz !== ZERO)
      point[kind] = add(point[kind], holdingValue(one, instrument, terms.price(instrument)))
  }
  point.perpIn = valueAt(history.perpIn, timeMs) ?? ZERO
  point.spotIn = valueAt(history.spotIn, timeMs) ?? ZERO
  return point
}

/** Of a token its value; of a perpetual its unrealised PnL. */
function holdingValue(held: HeldPosition, of: InstrumentRow, px: Px): Usd {
  return of.kind === 'spot' ? positionValue(held.sz, px, of) : unrealisedPnl(held, px, of)
}

function accountKinds(world: World, trader: number): Map<number, AccountKind> {
  const kinds = new Map<number, AccountKind>()
  const { accountOf } = tradersOf(world)
  for (const dex of accountDexes(world)) {
    const account = accountOf(trader, dex)
    if (account === undefined) continue
    kinds.set(account, dex === '' ? 'main' : dex === 'spot' ? 'spot' : 'builder')
  }
  return kinds
}

/** Dexes of all accounts that there can be. */
export function accountDexes(world: World): string[] {
  return [...new Set(['', 'spot', ...world.instruments.map(({ dex }) => dex)])]
}

function emptySeries<T>(): ValueSeries<T> {
  return { timesMs: [], values: [] }
}

/** Of several changes of one instant the last counts. */
function appendValue<T>({ timesMs, values }: ValueSeries<T>, timeMs: TapeMs, value: T): void {
  const last = timesMs.length - 1
  if (timesMs[last] === timeMs) values[last] = value
  else {
    timesMs.push(timeMs)
    values.push(value)
  }
}

function raise(line: ValueSeries<Usd>, timeMs: TapeMs, change: Usd): void {
  appendValue(line, timeMs, add(line.values.at(-1) ?? ZERO, change))
}

/** The value that holds at an instant; undefined before the first. */
export function valueAt<T>({ timesMs, values }: ValueSeries<T>, timeMs: TapeMs): T | undefined {
  let [low, high] = [0, timesMs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((timesMs[middle] as number) <= timeMs) low = middle + 1
    else high = middle
  }
  return values[low - 1]
}
