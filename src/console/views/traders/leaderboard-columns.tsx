/** What the leaderboard says of each trader. */
import type { FoundTrader } from '../../../client/contract/records.ts'
import { Sparkline } from '../../parts/sparkline.tsx'
import type { Column } from '../../parts/table.tsx'
import { dollarText, signClass } from '../../shell/formats.ts'
import { AddressLink } from './address-link.tsx'
import { pnlPoints } from './pnl-points.ts'
import { say } from './words.ts'

/** Columns of the leaderboard; so many traders stand on the pages before. */
export function leaderboardColumns(before: number): Column<FoundTrader>[] {
  return [
    {
      title: '#',
      isMinor: true,
      cell: (_, index) => <span class="faint">{before + index + 1}</span>,
    },
    { title: say('trader'), cell: ({ address }) => <AddressLink address={address} /> },
    {
      title: say('totalPnl'),
      isNumber: true,
      cell: ({ totalPnl = '' }) => <span class={signClass(totalPnl)}>{dollarText(totalPnl)}</span>,
    },
    {
      title: say('curve'),
      isMinor: true,
      cell: ({ pnlList = [] }) => (
        <Sparkline values={pnlPoints(pnlList).map(({ value }) => value)} />
      ),
    },
    {
      title: say('winRate'),
      isNumber: true,
      cell: ({ winRate }) => (winRate === undefined ? '–' : `${(winRate * 100).toFixed(0)}%`),
    },
    {
      title: say('positionCount'),
      isNumber: true,
      isMinor: true,
      cell: (row) => row.positionCount,
    },
    {
      title: say('snapTotalValue'),
      isNumber: true,
      cell: ({ snapTotalValue = '' }) => dollarText(snapTotalValue),
    },
    {
      title: say('openPositions'),
      isNumber: true,
      isMinor: true,
      cell: (row) => row.snapPositionCount,
    },
    {
      title: say('leverage'),
      isNumber: true,
      isMinor: true,
      cell: ({ avgLeverage }) => (avgLeverage === undefined ? '–' : `${avgLeverage}×`),
    },
    {
      title: say('drawdown'),
      isNumber: true,
      isMinor: true,
      cell: ({ ddDrawdown }) =>
        ddDrawdown === undefined ? '–' : `${(ddDrawdown * 100).toFixed(1)}%`,
    },
    {
      title: say('tags'),
      isMinor: true,
      cell: ({ tags = [] }) => <span class="faint">{tags.join(', ')}</span>,
    },
  ]
}
