/** Parameters that name a position: whose, in what, and from when to when it was held. */

import type { Parameter } from '../../contract/parameters.ts'
import type { AskedOperation } from '../derived/asked-operation.ts'
import { instantMs } from '../derived/row-times.ts'
import { isJsonObject, type JsonObject } from '../response-reading.ts'
import { type Effect, nameOf } from './effect.ts'
import { twoClosedPositions, twoOpenPositions } from './known-values.ts'

/** The record is of the account and the coin that were asked for. */
export const headOf =
  (state: 'open' | 'closed'): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const held =
      state === 'open' ? await twoOpenPositions(asked.probe) : await twoClosedPositions(asked.probe)
    if (held.length < 2) asked.probe.skip('the target has no two such positions')
    let seen = 0
    for (const { address, coin, ...times } of held) {
      const { openTime: startTime, closeTime: endTime } = times as Record<string, unknown>
      const query = startTime === undefined ? {} : { startTime, endTime }
      const data = await asked.with({ path: { address, coin }, query }).data()
      if (!isJsonObject(data)) continue
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
export const timeOfPosition =
  (name: 'startTime' | 'endTime'): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const held = await twoClosedPositions(asked.probe)
    if (held.length === 0) asked.probe.skip('the target has no closed position')
    for (const { address, coin, openTime, closeTime } of held) {
      const at = name === 'startTime' ? openTime : closeTime
      const query = { startTime: undefined, endTime: undefined, [name]: at }
      const data = await asked.with({ path: { address, coin }, query }).data()
      const found = isJsonObject(data) ? data[name] : undefined
      asked.probe.assert(
        instantMs(found) === at,
        `${nameOf(asked, parameter, at)} is the position of then, not of ${found}`,
        isJsonObject(data) ? head(data) : data,
      )
    }
  }

/** A record without its rows. */
const head = (record: JsonObject) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !Array.isArray(value)))
