/** The columns of a search: what each is compared by, and how it is shown. */

import type { Moment } from '../../../../contract/facts.ts'
import { isoText } from '../../../../contract/rebase.ts'
import type { FoundTrader, TraderColumn } from '../../../../contract/records/trader-search.ts'
import { raw, sign, subtract, sum, type Usd } from '../../../../decimal/quantity.ts'
import { divide } from '../../../../decimal/scaled.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { fractionText } from '../../../formatting/fraction.ts'
import type { ValuedPosition } from '../../../rows/account-summary.ts'
import { usdText } from '../../../schema.ts'
import { pnlCurveRecord } from '../pnl-curves/pnl-curve-record.ts'
import { leverageText, netValueOf, shownSpotOf, usageText } from './account-record.ts'
import type { ClosedPositionSums } from './closed-position-sums.ts'
import type { SearchCandidate } from './search-candidate.ts'
import { tagsOf } from './trader-tags.ts'

/** What a value is compared with: a number, an instant in tape time, text; lists with nothing. */
export type ColumnKind = 'number' | 'time' | 'text' | 'list'

/** What a search says about how its values are shown. */
export interface ColumnFormat {
  days: number
  lang: 'en' | 'cn'
  moment: Moment
}

export interface SearchColumn<Name extends TraderColumn> {
  kind: ColumnKind
  /** null when there is no value; of a list its length. */
  key(candidate: SearchCandidate, days: number, moment: Moment): number | string | null
  show(candidate: SearchCandidate, showing: ColumnFormat): NonNullable<FoundTrader[Name]> | null
}

/** A number that is shown as it is compared. */
const countColumn = <N extends TraderColumn>(
  of: (sums: ClosedPositionSums) => number,
): SearchColumn<N> => ({
  kind: 'number',
  key: (candidate, days) => of(candidate.sums(days)),
  show: (candidate, { days }) => of(candidate.sums(days)) as never,
})

/** Money realised in the period, shown with ten decimals. */
const pnlColumn = <N extends TraderColumn>(
  of: (sums: ClosedPositionSums) => Usd,
): SearchColumn<N> => ({
  kind: 'number',
  key: (candidate, days) => raw(of(candidate.sums(days))) / 1e6,
  show: (candidate, { days }) =>
    bigintText(BigInt(raw(of(candidate.sums(days)))) * 10_000n, 10, 10) as never,
})

/** Money of now. */
const moneyColumn = <N extends TraderColumn>(
  of: (candidate: SearchCandidate, moment: Moment) => Usd,
): SearchColumn<N> => ({
  kind: 'number',
  key: (candidate, _, moment) => raw(of(candidate, moment)) / 1e6,
  show: (candidate, { moment }) => usdText(of(candidate, moment)) as never,
})

/** A count or ratio of now. */
const currentColumn = <N extends TraderColumn>(
  of: (candidate: SearchCandidate) => number,
): SearchColumn<N> => ({
  kind: 'number',
  key: of,
  show: (candidate) => of(candidate) as never,
})

const partOf = (count: number, of: number) =>
  of === 0 ? 0 : Number(fractionText(BigInt(count), BigInt(of)))

const positions = ({ snapshot }: SearchCandidate, side: 1 | -1) =>
  snapshot.main.positions.filter(({ sz }) => sign(sz) === side)

const totalPositionValue = (list: readonly ValuedPosition[]) => sum(list.map(({ value }) => value))

const effLeverage = ({ snapshot }: SearchCandidate) =>
  snapshot.main.positions.length === 0 ? null : leverageText(snapshot)

export const SEARCH_COLUMNS: { [Name in TraderColumn]: SearchColumn<Name> } = {
  address: {
    kind: 'text',
    key: ({ trader }) => trader.address,
    show: ({ trader }) => trader.address,
  },
  avgDurationMin: countColumn(
    ({ heldMs, count }) => divide(heldMs, 600 * Math.max(count, 1)) / 100,
  ),
  positionCount: countColumn(({ count }) => count),
  winRate: countColumn(({ wins, count }) => partOf(wins, count)),
  longWinRate: countColumn(({ longWins, longCount }) => partOf(longWins, longCount)),
  shortWinRate: countColumn((of) => partOf(of.wins - of.longWins, of.count - of.longCount)),
  longRatio: countColumn(({ longCount, count }) => partOf(longCount, count)),
  totalPnl: pnlColumn((of) => of.pnl),
  longPnl: pnlColumn(({ longPnl }) => longPnl),
  shortPnl: pnlColumn((of) => subtract(of.pnl, of.longPnl)),
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
  snapTotalValue: moneyColumn(({ snapshot }) => netValueOf(snapshot)),
  snapPerpValue: moneyColumn(({ snapshot }) => snapshot.main.all.accountValue),
  snapSpotValue: moneyColumn(({ snapshot }, moment) => shownSpotOf(snapshot, moment)),
  snapTotalMarginUsed: moneyColumn(({ snapshot }) => snapshot.main.all.totalMarginUsed),
  snapMarginUsageRate: currentColumn(({ snapshot }) => Number(usageText(snapshot))),
  snapEffLeverage: {
    kind: 'number',
    key: (candidate) => numberOf(effLeverage(candidate)),
    show: effLeverage,
  },
  snapUnrealizedPnl: moneyColumn(({ snapshot }) =>
    sum(snapshot.main.positions.map(({ unrealised }) => unrealised)),
  ),
  snapPositionCount: currentColumn(({ snapshot }) => snapshot.main.positions.length),
  snapPositionValue: moneyColumn(({ snapshot }) => snapshot.main.all.totalNtlPos),
  snapLongPositionCount: currentColumn((candidate) => positions(candidate, 1).length),
  snapLongPositionValue: moneyColumn((candidate) => totalPositionValue(positions(candidate, 1))),
  snapShortPositionCount: currentColumn((candidate) => positions(candidate, -1).length),
  snapShortPositionValue: moneyColumn((candidate) => totalPositionValue(positions(candidate, -1))),
  oaLastOrderAt: {
    kind: 'time',
    key: ({ snapshot }) => snapshot.lastOrderMs,
    show: ({ snapshot: { lastOrderMs } }) => (lastOrderMs === null ? null : isoText(lastOrderMs)),
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
const averageLeverage = ({ leverage, count }: ClosedPositionSums) =>
  divide(leverage * 100, Math.max(count, 1)) / 100

function drawdown(candidate: SearchCandidate, days: number): number {
  const { lost, base } = candidate.drawdown(days)
  return partOf(raw(lost), raw(base))
}

const pnlListOf = ({ scope, trader }: SearchCandidate, days: number, moment: Moment) =>
  pnlCurveRecord(scope.world, moment, trader.id, { days, scope: 'all', form: 'list' })
