/** The leaderboard, and a page for each trader. */

import { useMemo, useState } from 'preact/hooks'
import type { ChannelTypes } from '../../../../clients/service/contract/channels.ts'
import type { FoundTrader, PnlCurve } from '../../../../clients/service/contract/records.ts'
import { Choice } from '../../parts/choice.tsx'
import { CopyButton, Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { TimeChart, type TimeSeries } from '../../parts/time-chart.tsx'
import { useFetched, useNewestPush } from '../../session/asking.ts'
import { era } from '../../session/connection.ts'
import { dollarText, signClass } from '../../shell/formats.ts'
import { useShortcut } from '../../shell/menu.ts'
import { language } from '../../shell/preferences.ts'
import type { View } from '../../shell/route.ts'
import { changeQuery, go, linkTo, route } from '../../shell/route.ts'
import { AddressLink, ClosedTrades, FillList, OpenOrders, PositionList } from './trader-tables.tsx'
import { say } from './words.ts'

export const tradersView: View = {
  id: 'traders',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5' +
    'M13 4a3 3 0 0 1 0 5.5M15 12.2c1.9.6 3 2 3 4.3',
  component: Traders,
}

function Traders() {
  const [address] = route.value.path
  return address === undefined ? <Leaderboard /> : <TraderPage key={address} address={address} />
}

/** Traders sorted by PnL, or by another column. */
const SORTS = ['totalPnl', 'winRate', 'snapTotalValue', 'positionCount'] as const
const PERIODS = [
  ['1', 'day'],
  ['7', 'week'],
  ['30', 'month'],
  ['0', 'allTime'],
] as const
/** Shown columns. */
const SELECTS = [...SORTS, ...['snapPositionCount', 'avgLeverage', 'ddDrawdown']]
const PAGE_SIZE = 25

function Leaderboard() {
  const { query } = route.value
  const sort = SORTS.find((one) => one === query.sort) ?? 'totalPnl'
  const period = PERIODS.find(([value]) => value === query.period)?.[0] ?? '30'
  const page = Math.max(1, Number(query.page) || 1)
  const lang = language.value === 'zh' ? 'cn' : 'en'
  const requested = useFetched(
    ({ account }) =>
      account.perpdex.tradersDiscover({
        body: {
          pageNum: page,
          pageSize: PAGE_SIZE,
          period: Number(period),
          sort: { field: sort, dir: 'desc' },
          selects: SELECTS,
          loadPnls: true,
          loadTags: true,
          lang,
        },
      }),
    { of: [sort, period, page, lang, era.value], everyMs: 10_000 },
  )
  const move = (by: number) => changeQuery({ page: Math.max(1, page + by) })
  useShortcut(
    'ArrowRight',
    () => say('after'),
    () => move(1),
  )
  useShortcut(
    'ArrowLeft',
    () => say('before'),
    () => move(-1),
  )
  return (
    <Panel
      title={say('leaderboard')}
      class="leaderboard"
      isFlush
      tools={<Tools sort={sort} period={period} />}
    >
      <Shown of={requested} isEmpty={({ list }) => list.length === 0}>
        {({ list, total }) => (
          <>
            <Table
              label={say('leaderboard')}
              rows={list}
              keyOf={({ address }) => address}
              columns={leaderboardColumns((page - 1) * PAGE_SIZE)}
              onPick={({ address }) => go('traders', [address])}
            />
            <footer class="pages">
              <button type="button" disabled={page === 1} onClick={() => move(-1)}>
                {say('before')}
              </button>
              <span class="faint">
                {say('page', { page })} · {say('found', { total })}
              </span>
              <button type="button" disabled={page * PAGE_SIZE >= total} onClick={() => move(1)}>
                {say('after')}
              </button>
            </footer>
          </>
        )}
      </Shown>
    </Panel>
  )
}

interface ToolsProps {
  sort: (typeof SORTS)[number]
  period: (typeof PERIODS)[number][0]
}

function Tools({ sort, period }: ToolsProps) {
  return (
    <>
      <AddressSearch />
      <Choice
        label={say('period')}
        value={period}
        options={PERIODS.map(([value, name]) => ({ value, text: say(name) }))}
        onPick={(picked) => changeQuery({ period: picked, page: null })}
      />
      <label>
        <span class="faint">{say('sortedBy')}</span>{' '}
        <select
          value={sort}
          onChange={({ currentTarget }) => changeQuery({ sort: currentTarget.value, page: null })}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {say(one)}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

function AddressSearch() {
  const [typed, setTyped] = useState('')
  return (
    <form
      class="address-search"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() !== '') go('traders', [typed.trim().toLowerCase()])
      }}
    >
      <input
        data-search
        aria-label={say('find')}
        placeholder={say('find')}
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <button type="submit">{say('open')}</button>
    </form>
  )
}

/** One trader in real time: figures, curves, positions, orders and fills. */
const PARTS = ['positions', 'orders', 'fills', 'completed'] as const

function TraderPage({ address }: { address: string }) {
  const part = PARTS.find((one) => one === route.value.query.part) ?? 'positions'
  const { pushed, refusal } = useNewestPush('clearinghouseState', { user: address })
  const isOwn = pushed.value?.user === address
  const account = isOwn ? (pushed.value?.clearinghouseState ?? null) : null
  return (
    <div class="trader">
      <header class="trader-head">
        <a href={linkTo('traders')}>{say('back')}</a>
        <h1 class="mono">{address}</h1>
        <CopyButton text={address} of={say('trader')} />
        {account && <AccountFigures account={account} />}
      </header>
      <TraderCurve address={address} />
      <Panel
        title={say(part)}
        class="trader-part"
        isFlush
        tools={
          <Choice
            label={say('what')}
            value={part}
            options={PARTS.map((value) => ({ value, text: say(value) }))}
            onPick={(picked) => changeQuery({ part: picked })}
          />
        }
      >
        {part === 'positions' && <PositionList account={account} refusal={refusal.value} />}
        {part === 'orders' && <OpenOrders address={address} />}
        {part === 'fills' && <FillList address={address} />}
        {part === 'completed' && <ClosedTrades address={address} />}
      </Panel>
    </div>
  )
}

type NativeState = ChannelTypes['clearinghouseState']['data']['clearinghouseState']

function AccountFigures({ account }: { account: NativeState }) {
  const { marginSummary, withdrawable, assetPositions } = account
  const unrealized = assetPositions.reduce(
    (sum, { position }) => sum + Number(position.unrealizedPnl),
    0,
  )
  const figures = [
    [say('equity'), dollarText(marginSummary.accountValue), ''],
    [say('unrealized'), dollarText(unrealized), signClass(unrealized)],
    [say('margin'), dollarText(marginSummary.totalMarginUsed), ''],
    [say('withdrawable'), dollarText(withdrawable), ''],
  ] as const
  return (
    <dl class="figures">
      {figures.map(([name, value, kind]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={kind || undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Value and PnL of a trader's account over time. */
const WINDOWS = ['day', 'week', 'month', 'allTime'] as const
const CURVES = ['pnl', 'accountValue'] as const

function TraderCurve({ address }: { address: string }) {
  const { query } = route.value
  const window = WINDOWS.find((one) => one === query.window) ?? 'month'
  const curve = CURVES.find((one) => one === query.curve) ?? 'pnl'
  const requested = useFetched(
    ({ account }) => account.perpdex.portfolio({ path: { address, window } }),
    { of: [address, window, era.value], everyMs: 5000 },
  )
  const points = requested.data?.[curve]
  const series = useMemo<TimeSeries[] | null>(
    () =>
      points === undefined
        ? null
        : [
            {
              kind: 'area',
              color: 'accent',
              points: points.map(({ time, value }) => ({
                time: time / 1000,
                value: Number(value),
              })),
            },
          ],
    [points],
  )
  return (
    <Panel
      title={say(curve === 'pnl' ? 'curve' : 'accountValue')}
      class="trader-curve"
      isFlush
      tools={
        <>
          <Choice
            label={say('what')}
            value={curve}
            options={CURVES.map((value) => ({ value, text: say(value) }))}
            onPick={(picked) => changeQuery({ curve: picked })}
          />
          <Choice
            label={say('period')}
            value={window}
            options={WINDOWS.map((value) => ({ value, text: say(value) }))}
            onPick={(picked) => changeQuery({ window: picked })}
          />
        </>
      }
    >
      <Shown of={{ ...requested, data: series }}>
        {(found) => <TimeChart label={say(curve)} series={found} text={dollarText} />}
      </Shown>
    </Panel>
  )
}

// Figures of each trader on the leaderboard.

/** Columns of the leaderboard, after the given number of traders on earlier pages. */
function leaderboardColumns(before: number): Column<FoundTrader>[] {
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

/** A PnL curve in either form of the service, times in s. */
const pnlPoints = (curve: PnlCurve): { time: number; value: number }[] =>
  curve.map((point) =>
    'time' in point
      ? { time: point.time / 1000, value: Number(point.pnl) }
      : { time: point.ts / 1000, value: Number(point.v) },
  )

/** A sparkline: only its trend matters. */
const WIDTH = 96
const HEIGHT = 22

function Sparkline({ values }: { values: readonly number[] }) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const rises = (values.at(-1) ?? 0) >= (values[0] ?? 0)
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * WIDTH
    const y = high === low ? HEIGHT / 2 : HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      class={`sparkline ${rises ? 'up' : 'down'}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}
