/** The columns of a search: what each is compared by, and how it is shown. */

import type { Moment } from '../../../contract/facts.ts'
import { isoText } from '../../../contract/rebase.ts'
import type { Column, Discovered } from '../../../contract/records/discovered.ts'
import { raw, sign, subtract, sum, type Usd } from '../../../decimal/quantity.ts'
import { divide } from '../../../decimal/scaled.ts'
import { usdText } from '../../schema.ts'
import type { Position } from '../account.ts'
import { pnlCurveOf } from '../curves/pnl-points.ts'
import { fractionText } from '../fraction.ts'
import { wideText } from '../wording.ts'
import { leverageText, spotOf, totalOf, usageText } from './account-row.ts'
import type { Candidate } from './candidate.ts'
import type { RoundSums } from './rounds.ts'
import { tagsOf } from './tags.ts'

/** What a value is compared with: a number, an instant in tape time, text; lists with nothing. */
export type ColumnKind = 'number' | 'time' | 'text' | 'list'

/** What a search says about how its values are shown. */
export interface Showing {
  days: number
  lang: 'en' | 'cn'
  moment: Moment
}

export interface ColumnOf<Name extends Column> {
  kind: ColumnKind
  /** null when there is no value; of a list its length. */
  key(candidate: Candidate, days: number, moment: Moment): number | string | null
  show(candidate: Candidate, showing: Showing): NonNullable<Discovered[Name]> | null
}

/** A number that is shown as it is compared. */
const number = <N extends Column>(of: (sums: RoundSums) => number): ColumnOf<N> => ({
  kind: 'number',
  key: (candidate, days) => of(candidate.sums(days)),
  show: (candidate, { days }) => of(candidate.sums(days)) as never,
})

/** Money realised in the period, shown with ten decimals. */
const pnl = <N extends Column>(of: (sums: RoundSums) => Usd): ColumnOf<N> => ({
  kind: 'number',
  key: (candidate, days) => raw(of(candidate.sums(days))) / 1e6,
  show: (candidate, { days }) =>
    wideText(BigInt(raw(of(candidate.sums(days)))) * 10_000n, 10, 10) as never,
})

/** Money of now. */
const money = <N extends Column>(
  of: (candidate: Candidate, moment: Moment) => Usd,
): ColumnOf<N> => ({
  kind: 'number',
  key: (candidate, _, moment) => raw(of(candidate, moment)) / 1e6,
  show: (candidate, { moment }) => usdText(of(candidate, moment)) as never,
})

/** A count or ratio of now. */
const current = <N extends Column>(of: (candidate: Candidate) => number): ColumnOf<N> => ({
  kind: 'number',
  key: of,
  show: (candidate) => of(candidate) as never,
})

const part = (count: number, of: number) =>
  of === 0 ? 0 : Number(fractionText(BigInt(count), BigInt(of)))

const positions = ({ snapshot }: Candidate, side: 1 | -1) =>
  snapshot.main.positions.filter(({ sz }) => sign(sz) === side)

const worth = (list: readonly Position[]) => sum(list.map(({ value }) => value))

const effLeverage = ({ snapshot }: Candidate) =>
  snapshot.main.positions.length === 0 ? null : leverageText(snapshot)

export const COLUMN: { [Name in Column]: ColumnOf<Name> } = {
  address: {
    kind: 'text',
    key: ({ trader }) => trader.address,
    show: ({ trader }) => trader.address,
  },
  avgDurationMin: number(({ heldMs, count }) => divide(heldMs, 600 * Math.max(count, 1)) / 100),
  positionCount: number(({ count }) => count),
  winRate: number(({ wins, count }) => part(wins, count)),
  longWinRate: number(({ longWins, longCount }) => part(longWins, longCount)),
  shortWinRate: number((of) => part(of.wins - of.longWins, of.count - of.longCount)),
  longRatio: number(({ longCount, count }) => part(longCount, count)),
  totalPnl: pnl((of) => of.pnl),
  longPnl: pnl(({ longPnl }) => longPnl),
  shortPnl: pnl((of) => subtract(of.pnl, of.longPnl)),
  avgLeverage: {
    kind: 'number',
    key: (candidate, days) => averageLeverage(candidate.sums(days)),
    show: (candidate, { days }) => String(averageLeverage(candidate.sums(days))),
  },
  sharpe: {
    kind: 'number',
    key: (candidate, days) => candidate.sharpe(days),
    show: (candidate, { days }) => candidate.sharpe(days),
  },
  ddDrawdown: {
    kind: 'number',
    key: (candidate, days) => drawdown(candidate, days),
    show: (candidate, { days }) => drawdown(candidate, days),
  },
  snapTotalValue: money(({ snapshot }) => totalOf(snapshot)),
  snapPerpValue: money(({ snapshot }) => snapshot.main.all.accountValue),
  snapSpotValue: money(({ snapshot }, moment) => spotOf(snapshot, moment)),
  snapTotalMarginUsed: money(({ snapshot }) => snapshot.main.all.totalMarginUsed),
  snapMarginUsageRate: current(({ snapshot }) => Number(usageText(snapshot))),
  snapEffLeverage: {
    kind: 'number',
    key: (candidate) => numberOf(effLeverage(candidate)),
    show: effLeverage,
  },
  snapUnrealizedPnl: money(({ snapshot }) =>
    sum(snapshot.main.positions.map(({ unrealised }) => unrealised)),
  ),
  snapPositionCount: current(({ snapshot }) => snapshot.main.positions.length),
  snapPositionValue: money(({ snapshot }) => snapshot.main.all.totalNtlPos),
  snapLongPositionCount: current((candidate) => positions(candidate, 1).length),
  snapLongPositionValue: money((candidate) => worth(positions(candidate, 1))),
  snapShortPositionCount: current((candidate) => positions(candidate, -1).length),
  snapShortPositionValue: money((candidate) => worth(positions(candidate, -1))),
  oaLastOrderAt: {
    kind: 'time',
    key: ({ snapshot }) => snapshot.orderedMs,
    show: ({ snapshot: { orderedMs } }) => (orderedMs === null ? null : isoText(orderedMs)),
  },
  pnlList: {
    kind: 'list',
    key: (candidate, days, moment) => pnlListOf(candidate, days, moment).length,
    show: (candidate, { days, moment }) => pnlListOf(candidate, days, moment),
  },
  tags: {
    kind: 'list',
    key: (candidate) => tagsOf(candidate, 'en').length,
    show: (candidate, { lang }) => tagsOf(candidate, lang),
  },
}

const numberOf = (text: string | null) => (text === null ? null : Number(text))

/** With two decimals. */
const averageLeverage = ({ leverage, count }: RoundSums) =>
  divide(leverage * 100, Math.max(count, 1)) / 100

function drawdown(candidate: Candidate, days: number): number {
  const { lost, whole } = candidate.drawdown(days)
  return part(raw(lost), raw(whole))
}

const pnlListOf = ({ field, trader }: Candidate, days: number, moment: Moment) =>
  pnlCurveOf(field.world, moment, trader.id, { days, scope: 'all', form: 'list' })
