import type { Parameter } from '../../../../contract/parameters.ts'
import type { AskedOperation } from '../../../derived/asked-operation.ts'
import { instantMs } from '../../../derived/row-times.ts'
import { isJsonObject, type JsonObject } from '../../../parsed-json.ts'
import { openPositions } from '../../../target-lookups.ts'
import { type Effect, type EffectEntry, type EffectTable, nameOf } from '../../effect.ts'
import { holds, twoClosedPositions, twoOpenPositions } from '../../known-values.ts'
import { type Span, span, steps } from '../../spans.ts'

// Parameters that name a position: whose, in what, and from when to when it was held.

/** The record is of the account and the coin that were asked for. */
const headOf =
  (state: 'open' | 'closed'): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const held =
      state === 'open' ? await twoOpenPositions(asked.probe) : await twoClosedPositions(asked.probe)
    if (held.length < 2) asked.probe.skip('the target has no two such positions')
    let seen = 0
    for (const { address, coin, ...times } of held) {
      const { openTime: startTime, closeTime: endTime } = times as Record<string, unknown>
      const query = startTime === undefined ? {} : { startTime, endTime }
      const data = await asked.with({ path: { address, coin }, query }).served()
      if (!isJsonObject(data)) {
        const isHeld = state === 'closed' || (await holds(asked.probe, { address, coin }))
        asked.probe.assert(!isHeld, `${asked.operation.id} knows what ${address} holds in ${coin}`)
        continue
      }
      seen++
      const wanted = { address, coin }[parameter.name]
      asked.probe.assert(
        String(data[parameter.name]).toLowerCase() === wanted?.toLowerCase(),
        `${nameOf(asked, parameter, wanted)} is of it`,
        head(data),
      )
    }
    if (seen === 0) asked.probe.skip('the positions were closed meanwhile')
  }

/** The record begins or ends at the instant by which alone it was asked for. */
const timeOfPosition =
  (name: 'startTime' | 'endTime'): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const held = await twoClosedPositions(asked.probe)
    if (held.length === 0) asked.probe.skip('the target has no closed position')
    for (const { address, coin, openTime, closeTime } of held) {
      const at = name === 'startTime' ? openTime : closeTime
      const query = { startTime: undefined, endTime: undefined, [name]: at }
      const data = await asked.with({ path: { address, coin }, query }).served()
      const found = isJsonObject(data) ? data[name] : undefined
      asked.probe.assert(
        instantMs(found) === at,
        `${nameOf(asked, parameter, at)} is the position of then, not of ${found}`,
        isJsonObject(data) ? head(data) : data,
      )
    }
  }

/** The record is by the interval that is asked for, and says so. */
const intervalOf =
  (values: readonly Span[], isDense: boolean): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const longest = await longestHeld(asked, parameter, values)
    for (const [value] of values) {
      const data = await longest.withValue(parameter, value).data()
      if (!isJsonObject(data)) asked.probe.skip('the position was closed meanwhile')
      const said = `${nameOf(asked, parameter, value)} says its interval`
      asked.probe.assert(data.interval === value, said, head(data))
    }
    await steps(values, { isDense })(longest, parameter)
  }

/** Of the current positions of some accounts, the one with most rows; else as the example asks. */
async function longestHeld(
  asked: AskedOperation,
  parameter: Parameter,
  [shortest]: readonly Span[],
): Promise<AskedOperation> {
  if (!asked.operation.path.includes('/current-')) return asked
  let [best, most] = [asked, 0]
  for (const path of (await openPositions(asked.probe)).slice(0, POSITIONS_MAX)) {
    const one = asked.with({ path })
    const { length } = await one.withValue(parameter, shortest?.[0]).rows()
    if (length > most) [best, most] = [one, length]
    if (length >= ROWS_ENOUGH) break
  }
  return best
}

/** Positions that are looked at, and rows of which there are several steps in between. */
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
