import { assertNoSuccess, assertSame } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { dataOf, objectOf, objectsOf, retryUntilHeld } from '../../response-reading.ts'
import {
  type ClosedPosition,
  type OpenPosition,
  someClosedPosition,
  someOpenPosition,
} from '../../target-lookups.ts'
import { column, columnSum, isClose } from '../../value-checks.ts'

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
          assertSame(probe, row.coin, of.coin, 'it is of the coin that was asked for')
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
    title: 'what a completed position bought it has sold again',
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
      assertSame(probe, own(rows), own(got), 'both lists tell the same of it')
    },
  },
]

/** The record of an open position; of another one, when it was closed meanwhile. */
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
