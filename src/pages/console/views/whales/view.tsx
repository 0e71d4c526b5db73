/** Whales: positions of more than a million dollars. */
import { useMemo } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { TimeChart, type TimeSeries } from '../../parts/time-chart.tsx'
import { useFetched } from '../../session/asking.ts'
import { era } from '../../session/connection.ts'
import { dayTimeText, dollarText, numberText, signClass } from '../../shell/formats.ts'
import type { View } from '../../shell/route.ts'
import { changeQuery, route } from '../../shell/route.ts'
import { wording } from '../../shell/words.ts'
import { AddressLink, CoinLink } from '../traders/trader-tables.tsx'

export const whalesView: View = {
  id: 'whales',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon:
    'M2.5 11.5c0 3 2.6 4.5 6 4.5 5 0 7-3 7-7M15.5 9c-1.6 0-2.6-1-2.6-3 1.6 0 2.6 1 2.6 3z' +
    'M15.5 9c1.6 0 2.4-1 2.4-3M2.5 11.5c0-2 2-3 4.5-3s4 1.5 6 1.5M6 12v.1',
  component: Whales,
}

const EVERY_MS = 4000

function Whales() {
  return (
    <div class="whales">
      <Positions />
      <Events />
      <Ratio />
    </div>
  )
}

function Positions() {
  const dir = (['long', 'short'] as const).find((one) => one === route.value.query.dir) ?? 'both'
  const requested = useFetched(
    ({ account }) =>
      account.perpdex.whalePositions({ query: { take: 100, ...(dir === 'both' ? {} : { dir }) } }),
    { of: [dir, era.value], everyMs: EVERY_MS },
  )
  const tools = (
    <Choice
      label={say('dir')}
      value={dir}
      options={(['both', 'long', 'short'] as const).map((value) => ({ value, text: say(value) }))}
      onPick={(picked) => changeQuery({ dir: picked === 'both' ? null : picked })}
    />
  )
  return (
    <Panel title={say('positions')} class="whale-positions" isFlush tools={tools}>
      <Shown of={requested} isEmpty={({ length }) => length === 0} emptyText={say('none')}>
        {(rows) => (
          <Table
            label={say('positions')}
            rows={rows}
            keyOf={({ user, symbol }) => `${user} ${symbol}`}
            columns={[
              { title: say('trader'), cell: ({ user }) => <AddressLink address={user} /> },
              { title: say('coin'), cell: ({ symbol }) => <CoinLink coin={symbol} /> },
              { title: say('side'), cell: (row) => <Side size={row.positionSize} /> },
              {
                title: say('value'),
                isNumber: true,
                cell: (row) => dollarText(row.positionValueUsd),
              },
              {
                title: say('leverage'),
                isNumber: true,
                isMinor: true,
                cell: (row) => `${row.leverage}×`,
              },
              {
                title: say('entry'),
                isNumber: true,
                isMinor: true,
                cell: (row) => numberText(row.entryPrice),
              },
              {
                title: say('liquidation'),
                isNumber: true,
                isMinor: true,
                cell: ({ liqPrice }) => (liqPrice === null ? '–' : numberText(liqPrice)),
              },
              {
                title: say('pnl'),
                isNumber: true,
                cell: ({ unrealizedPnL }) => (
                  <span class={signClass(unrealizedPnL)}>{dollarText(unrealizedPnL)}</span>
                ),
              },
              { title: say('since'), isMinor: true, cell: (row) => dayTimeText(row.createTime) },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

/** Activity of large accounts, newest first. */
export function Events() {
  const requested = useFetched(
    ({ account }) => account.perpdex.whaleEvents({ query: { limit: 50 } }),
    {
      of: [era.value],
      everyMs: EVERY_MS,
    },
  )
  return (
    <Panel title={say('events')} class="whale-events" isFlush>
      <Shown of={requested} isEmpty={({ length }) => length === 0} emptyText={say('none')}>
        {(rows) => (
          <Table
            label={say('events')}
            rows={rows}
            keyOf={(row) => `${row.user} ${row.symbol} ${row.createTime} ${row.positionAction}`}
            columns={[
              { title: say('time'), cell: (row) => dayTimeText(Date.parse(row.createTime)) },
              {
                title: say('what'),
                cell: (row) => say(row.positionAction === 1 ? 'opened' : 'closed'),
              },
              { title: say('side'), cell: (row) => <Side size={row.positionSize} /> },
              { title: say('coin'), cell: ({ symbol }) => <CoinLink coin={symbol} /> },
              {
                title: say('value'),
                isNumber: true,
                cell: (row) => dollarText(row.positionValueUsd),
              },
              {
                title: say('trader'),
                isMinor: true,
                cell: ({ user }) => <AddressLink address={user} />,
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

function Ratio() {
  const sides = useFetched(({ account }) => account.perpdex.whaleDirections(), {
    of: [era.value],
    everyMs: EVERY_MS,
  })
  const requested = useFetched(
    ({ account }) => account.perpdex.whaleLongRatios({ query: { interval: '1h', limit: 168 } }),
    { of: [era.value], everyMs: 15_000 },
  )
  const series = useMemo<TimeSeries[] | null>(
    () =>
      requested.data && [
        {
          kind: 'area',
          color: 'accent',
          points: requested.data.map((row) => ({
            time: row.time / 1000,
            value: Number(row.longRatio),
          })),
        },
      ],
    [requested.data],
  )
  const counts = sides.data
  return (
    <Panel
      title={say('ratio')}
      class="whale-ratio"
      isFlush
      tools={
        counts && (
          <span class="faint">
            {say('sides', { long: counts.longCount, short: counts.shortCount })}
          </span>
        )
      }
    >
      <Shown of={{ ...requested, data: series }}>
        {(found) => (
          <TimeChart
            label={say('ratio')}
            series={found}
            text={(value) => `${(value * 100).toFixed(1)}%`}
          />
        )}
      </Shown>
    </Panel>
  )
}

const Side = ({ size }: { size: string }) => (
  <span class={signClass(size)}>{say(Number(size) < 0 ? 'short' : 'long')}</span>
)

const say = wording({
  title: ['Whales', '巨鲸'],
  about: ['Positions of more than a million dollars', '价值超过百万美元的持仓'],
  positions: ['Open positions', '当前持仓'],
  events: ['Opened and closed', '开仓与平仓'],
  ratio: ['Share of long positions', '多头占比'],
  trades: ['Largest trades of a day', '一天内最大成交'],
  sides: ['{long} long, {short} short', '{long} 个多头，{short} 个空头'],
  dir: ['Direction', '方向'],
  both: ['Both', '全部'],
  long: ['long', '多'],
  short: ['short', '空'],
  trader: ['Trader', '交易者'],
  coin: ['Coin', '币种'],
  side: ['Side', '方向'],
  value: ['Value', '价值'],
  entry: ['Entry', '开仓价'],
  price: ['Price', '价格'],
  liquidation: ['Liquidation', '强平价'],
  leverage: ['Leverage', '杠杆'],
  pnl: ['Unrealised PnL', '未实现盈亏'],
  since: ['Since', '开仓时间'],
  time: ['Time', '时间'],
  what: ['What', '动作'],
  opened: ['opened', '开仓'],
  closed: ['closed', '平仓'],
  none: ['None just now', '目前没有'],
})
