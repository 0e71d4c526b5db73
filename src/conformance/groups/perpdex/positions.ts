/** Positions of the perpetual DEX. */

import type { Parameter } from '../../../contract/parameters.ts'
import { instantMs } from '../../declared-violations.ts'
import type { TestedOperation } from '../../derived/tested-operation.ts'
import {
  type Effect,
  type EffectEntry,
  type EffectTable,
  holds,
  nameOf,
  twoClosedPositions,
  twoOpenPositions,
} from '../../effects/effect.ts'
import { type Span, span, steps } from '../../effects/spans.ts'
import {
  type ClosedPosition,
  type OpenPosition,
  openPositions,
  someClosedPosition,
  someOpenPosition,
} from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import {
  among,
  byName,
  bySuccess,
  dataIn,
  type Observers,
  onlyOne,
  valuesWhenOmitted,
} from '../../requirement.ts'
import {
  assertNoSuccess,
  assertSame,
  column,
  columnSum,
  dataOf,
  isClose,
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsOf,
  retryUntilHeld,
} from '../../responses.ts'

/** Positions over their lives (the service's documentation, Position records). */
export const POSITION_CASES: readonly Case[] = [
  {
    id: 'perpdex.positions.end',
    title: 'a completed position has an end after its start, and a current one has none',
    checks: ['record.positionEnd', 'record.positionHead'],
    run: async (probe: Probe) => {
      const round = await someClosedPosition(probe)
      const query = lifeOf(round)
      for (const kind of ['pnl', 'executions']) {
        const { held, current } = await currentRecord(probe, kind)
        probe.assert((current.endTime ?? null) === null, 'a current one has no endTime', current)
        const path = pathOf(round, 'completed', kind)
        const completed = await objectOf(probe, { path, query })
        const [start, end] = [completed.startTime, completed.endTime].map((text) =>
          Date.parse(String(text)),
        ) as [number, number]
        probe.assert(start <= end, 'startTime comes before endTime', completed)
        for (const [row, of] of [
          [current, held],
          [completed, round],
        ] as const)
          assertSame(probe, row.coin, of.coin, 'it is of the requested coin')
      }
    },
  },
  {
    id: 'perpdex.positions.times',
    title: 'openTime and closeTime of completed trades find the position that they are of',
    checks: ['perpdex.position.times', 'operation.perpdex.completedTrades'],
    run: async (probe: Probe) => {
      const round = await someClosedPosition(probe)
      const query = lifeOf(round)
      const found = await objectOf(probe, { path: pathOf(round, 'completed', 'pnl'), query })
      for (const [name, time] of [
        ['startTime', round.openTime],
        ['endTime', round.closeTime],
      ] as const)
        probe.assert(Date.parse(String(found[name])) === time, `${name} is ${time}`, found[name])
    },
  },
  {
    id: 'perpdex.positions.intervals',
    title: 'interval of position records goes from 15m to 1d and not further',
    checks: ['perpdex.position.intervals'],
    run: async (probe: Probe) => {
      for (const interval of ['15m', '1h', '4h', '1d']) {
        const { current } = await currentRecord(probe, 'pnl', interval)
        const answered = current.interval
        assertSame(probe, answered, interval, `interval ${interval} is answered`)
      }
      const path = pathOf(await someOpenPosition(probe), 'current', 'pnl')
      for (const interval of ['1m', '2d', 'often']) {
        const answer = await probe.request({ path, query: { interval } })
        assertNoSuccess(probe, answer, `interval ${interval} is refused`)
      }
    },
  },
  {
    id: 'perpdex.positions.executions',
    title: 'a completed position sold what it bought',
    checks: ['record.executions'],
    run: async (probe: Probe) => {
      const round = await someClosedPosition(probe)
      const query = { ...lifeOf(round), limit: 1000 }
      const request = { path: pathOf(round, 'completed', 'executions'), query }
      const { executions } = await objectOf(probe, request)
      const rows = Array.isArray(executions) ? executions.filter(isJsonObject) : []
      const [bought, sold] = [columnSum(rows, 'buySz'), columnSum(rows, 'sellSz')]
      probe.assert(isClose(bought, sold, 1e-6, 1e-6), 'buySz and sellSz add up to the same', rows)
      for (const row of rows)
        for (const side of ['buy', 'sell']) {
          const isDone = Number(row[`${side}Count`]) > 0
          const hasPrice = row[`${side}AvgPx`] !== null
          assertSame(probe, isDone, hasPrice, `${side}AvgPx is null where nothing was done`)
        }
    },
  },
  {
    id: 'perpdex.positions.two-lists',
    title: 'completed trades of an address are the same by GET and by time',
    checks: ['operation.perpdex.completedTradesByTime'],
    run: async (probe: Probe) => {
      const { address, openTime, closeTime } = await someClosedPosition(probe)
      const path = `/hl/traders/${address}/completed-trades`
      const got = await objectsOf(probe, { path, query: { limit: 2000 } })
      const body = { endTimeFrom: closeTime, endTimeTo: closeTime, pageNum: 1, pageSize: 20 }
      const posted = await probe.request({ method: 'POST', path: `${path}/by-time`, body })
      const rows = listIn(posted.json)
      const own = (list: readonly JsonObject[]) =>
        column(
          // Others may have been opened at the same instant.
          list.filter(
            (row) =>
              Number(row.openTime ?? row.startTime) === openTime &&
              Number(row.closeTime ?? row.endTime) === closeTime,
          ),
          'pnl',
        )
      probe.assert(own(rows).length > 0, 'the trade is found by the time it was closed', rows)
      assertSame(probe, own(rows), own(got), 'both lists have the same record of it')
    },
  },
]

/** The record of an open position; of another one, if it was closed meanwhile. */
async function currentRecord(probe: Probe, kind: string, interval = '1h') {
  let [held, current]: [OpenPosition | null, unknown] = [null, null]
  await retryUntilHeld(probe, async () => {
    held = await someOpenPosition(probe)
    current = await dataOf(probe, { path: pathOf(held, 'current', kind), query: { interval } })
    return isJsonObject(current) ? null : `the ${kind} of an open position are an object`
  })
  return { held: held as unknown as OpenPosition, current: current as unknown as JsonObject }
}

const lifeOf = ({ openTime, closeTime }: ClosedPosition) => ({
  interval: '1h',
  startTime: openTime,
  endTime: closeTime,
})

const pathOf = (of: { address: string; coin: string }, state: string, kind: string) =>
  `/hl/traders/${of.address}/${state}-position-${kind}/${encodeURIComponent(of.coin)}`

/** The rows of a page, or of a plain list (open). */
function listIn(json: unknown): JsonObject[] {
  const data = isJsonObject(json) ? json.data : undefined
  const list = isJsonObject(data) ? data.list : data
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

// Parameters that identify a position: account, coin, and times.

/** The record belongs to the requested account and coin. */
const headOf =
  (state: 'open' | 'closed'): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const held =
      state === 'open'
        ? await twoOpenPositions(requested.probe)
        : await twoClosedPositions(requested.probe)
    if (held.length < 2) requested.probe.skip('the target has no two such positions')
    let seen = 0
    for (const { address, coin, ...times } of held) {
      const { openTime: startTime, closeTime: endTime } = times as Record<string, unknown>
      const query = startTime === undefined ? {} : { startTime, endTime }
      const data = await requested.with({ path: { address, coin }, query }).served()
      if (!isJsonObject(data)) {
        const isHeld = state === 'closed' || (await holds(requested.probe, { address, coin }))
        requested.probe.assert(
          !isHeld,
          `${requested.operation.id} knows what ${address} holds in ${coin}`,
        )
        continue
      }
      seen++
      const wanted = { address, coin }[parameter.name]
      requested.probe.assert(
        String(data[parameter.name]).toLowerCase() === wanted?.toLowerCase(),
        `${nameOf(requested, parameter, wanted)} is of it`,
        head(data),
      )
    }
    if (seen === 0) requested.probe.skip('the positions were closed meanwhile')
  }

/** The record begins or ends at the instant that alone was requested. */
const timeOfPosition =
  (name: 'startTime' | 'endTime'): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const held = await twoClosedPositions(requested.probe)
    if (held.length === 0) requested.probe.skip('the target has no closed position')
    for (const { address, coin, openTime, closeTime } of held) {
      const at = name === 'startTime' ? openTime : closeTime
      const query = { startTime: undefined, endTime: undefined, [name]: at }
      const data = await requested.with({ path: { address, coin }, query }).served()
      const found = isJsonObject(data) ? data[name] : undefined
      requested.probe.assert(
        instantMs(found) === at,
        `${nameOf(requested, parameter, at)} is the position of then, not of ${found}`,
        isJsonObject(data) ? head(data) : data,
      )
    }
  }

/** The record has the requested interval, and states it. */
const intervalOf =
  (values: readonly Span[], isDense: boolean): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const longest = await longestHeld(requested, parameter, values)
    for (const [value] of values) {
      const data = await longest.withValue(parameter, value).data()
      if (!isJsonObject(data)) requested.probe.skip('the position was closed meanwhile')
      const message = `${nameOf(requested, parameter, value)} says its interval`
      requested.probe.assert(data.interval === value, message, head(data))
    }
    await steps(values, { isDense })(longest, parameter)
  }

/** The current position with the most rows among some accounts; else the example's. */
async function longestHeld(
  requested: TestedOperation,
  parameter: Parameter,
  [shortest]: readonly Span[],
): Promise<TestedOperation> {
  if (!requested.operation.path.includes('/current-')) return requested
  let [best, most] = [requested, 0]
  for (const path of (await openPositions(requested.probe)).slice(0, POSITIONS_MAX)) {
    const one = requested.with({ path })
    const { length } = await one.withValue(parameter, shortest?.[0]).rows()
    if (length > most) [best, most] = [one, length]
    if (length >= ROWS_ENOUGH) break
  }
  return best
}

/** Maximum number of positions, and enough rows for several steps in between. */
const [POSITIONS_MAX, ROWS_ENOUGH] = [8, 6]

/** A record without its rows. */
const head = (record: JsonObject) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !Array.isArray(value)))

const SPANS = [span('15m'), span('1h'), span('4h')]

const current = {
  address: { effect: headOf('open') },
  coin: { effect: headOf('open') },
} as const

const completed = {
  address: { effect: headOf('closed') },
  coin: { effect: headOf('closed') },
  startTime: { effect: timeOfPosition('startTime'), checks: ['perpdex.position.times'] },
  endTime: { effect: timeOfPosition('endTime'), checks: ['perpdex.position.times'] },
} as const

const interval = (isDense: boolean): EffectEntry => ({
  effect: intervalOf(SPANS, isDense),
  checks: ['perpdex.position.intervals'],
})

/** Effects of position parameters, by operation and parameter. */
export const POSITION_EFFECTS: EffectTable = {
  'perpdex.completedPositionExecutions': {
    ...completed,
    interval: interval(false),
    limit: { counted: true },
  },
  'perpdex.completedPositionHistory': completed,
  'perpdex.completedPositionPnl': {
    ...completed,
    interval: interval(true),
    limit: { counted: true },
  },
  'perpdex.currentPositionExecutions': {
    ...current,
    interval: interval(false),
    limit: { counted: true },
  },
  'perpdex.currentPositionHistory': current,
  'perpdex.currentPositionPnl': { ...current, interval: interval(true), limit: { counted: true } },
}

/** Observers of the open questions about positions. */
export const PERPDEX_POSITION_OBSERVERS: Observers = {
  'completed-by-time-form': async (probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/completed-trades/by-time`
    const data = await dataIn(probe, { method: 'POST', path, body: {} })
    return Array.isArray(data) ? 'seen' : isJsonObject(data) ? 'paged' : null
  },
  'completed-by-time-coin': async (probe: Probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/completed-trades/by-time`
    const count = async (body: object) => {
      const data = await dataIn(probe, { method: 'POST', path, body })
      return Array.isArray(data) ? data.length : isJsonObject(data) ? Number(data.total) : 0
    }
    if ((await count({})) === 0) probe.skip('the account has no completed trade by time')
    return (await count({ coin: 'NONE' })) > 0 ? 'ignored' : 'counts'
  },
  'trader-period': async (probe: Probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/addr-stat`
    return onlyOne(probe, await valuesWhenOmitted(probe, path, 'period', ['7', '0']))
  },
  'position-interval': bySuccess(
    async (probe) => {
      const { address, coin } = await someOpenPosition(probe)
      const name = encodeURIComponent(coin)
      return { path: `/hl/traders/${address}/current-position-pnl/${name}` }
    },
    '1h',
    'refuse',
  ),
  'position-absent': async (probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/completed-position-pnl/BTC`
    const { status } = await probe.request({ path, query: { startTime: 1, interval: '1h' } })
    return among(status, ['200', '400'])
  },
  'position-liquidation-name': byName(
    async (probe) => {
      const { address, coin } = await someOpenPosition(probe)
      const name = encodeURIComponent(coin)
      return { path: `/hl/traders/${address}/current-position-history/${name}` }
    },
    { liquidationPx: 'liquidationPx', liqPrice: 'liqPrice' },
  ),
}
