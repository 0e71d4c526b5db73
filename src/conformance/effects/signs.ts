/** Parameters that choose by the sign of a number. */
import type { Parameter } from '../../contract/parameters.ts'
import type { AskedOperation } from '../derived/asked-operation.ts'
import { type Effect, nameOf, type Pick, picked } from './effect.ts'

/**
 * Rows of a value have a number of its sign, and none of the other's; null where the contract does
 * not say which sign it is (open), but one it is.
 */
export const bySign =
  (pick: Pick, values: Readonly<Record<string, 1 | -1 | null>>): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const taken: number[] = []
    for (const [value, sign] of Object.entries(values)) {
      const rows = await asked.withValue(parameter, value).objects()
      const signs = new Set(rows.map((row) => Math.sign(Number(picked(pick, row)))))
      signs.delete(0)
      const question = nameOf(asked, parameter, value)
      const found = [...signs]
      asked.probe.assert(
        found.length <= 1,
        `${question} has rows of one sign only`,
        rows.slice(0, 3),
      )
      if (found.length === 0) continue
      asked.probe.assert(
        sign === null || found[0] === sign,
        `${question} has the sign ${sign}`,
        rows[0],
      )
      asked.probe.assert(
        !taken.includes(found[0] as number),
        `${question} has another sign`,
        rows[0],
      )
      taken.push(found[0] as number)
    }
    if (taken.length === 0) asked.probe.skip('there are no rows of any sign')
  }
