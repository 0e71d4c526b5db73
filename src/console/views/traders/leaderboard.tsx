/** Traders in order of what they have earned, or of what else is chosen. */
import { useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { useAsked } from '../../session/asking.ts'
import { era } from '../../session/era.ts'
import { useShortcut } from '../../shell/keyboard.ts'
import { language } from '../../shell/preferences.ts'
import { changeQuery, go, route } from '../../shell/route.ts'
import { leaderboardColumns } from './leaderboard-columns.tsx'
import { say } from './words.ts'

const SORTS = ['totalPnl', 'winRate', 'snapTotalValue', 'positionCount'] as const
const PERIODS = [
  ['1', 'day'],
  ['7', 'week'],
  ['30', 'month'],
  ['0', 'allTime'],
] as const
/** Columns that are shown. */
const SELECTS = [...SORTS, ...['snapPositionCount', 'avgLeverage', 'ddDrawdown']]
const PAGE_SIZE = 25

export function Leaderboard() {
  const { query } = route.value
  const sort = SORTS.find((one) => one === query.sort) ?? 'totalPnl'
  const period = PERIODS.find(([value]) => value === query.period)?.[0] ?? '30'
  const page = Math.max(1, Number(query.page) || 1)
  const lang = language.value === 'zh' ? 'cn' : 'en'
  const asked = useAsked(
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
      <Shown of={asked} isEmpty={({ list }) => list.length === 0}>
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
