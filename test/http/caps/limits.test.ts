/** Every limit of a list in the contract is reached on the default world. */
import { expect, test } from 'bun:test'
import { meaningOf } from '../../../src/contract/meaning.ts'
import { requestedMarket } from '../../fixtures/requested-market.ts'
import { PARAMETER_CAPS, rowsOf } from './cap.ts'
import { LIMIT_TRIALS } from './limit-trials.ts'

const market = await requestedMarket()
const LIMITS = PARAMETER_CAPS.filter(({ parameter }) => meaningOf(parameter.schema) === 'pageSize')

test('every limit has a trial, and every trial a limit', () => {
  expect(Object.keys(LIMIT_TRIALS).sort()).toEqual(LIMITS.map(({ id }) => id).sort())
})

test.each(LIMITS)(
  '$id gives its default, and $most at most',
  ({ id, operation, parameter, most }) => {
    const { place, name, schema } = parameter
    const trial = LIMIT_TRIALS[id] ?? {}
    const given = trial.request?.(market) ?? {}
    const count = (limit?: number) => {
      const value = place === 'body' ? limit : String(limit)
      const more = limit === undefined ? {} : { [place]: { ...given[place], [name]: value } }
      const data = market.ask(operation.method, operation.path, { ...given, ...more })
      return rowsOf(data, trial).length
    }
    const there = trial.fewer ? count(most) : most
    expect(there).toBeGreaterThanOrEqual(trial.fewer?.least ?? most)
    if (schema.default !== undefined) expect(count()).toBe(Math.min(schema.default, there))
    const requested = [most - 1, most, most + 1]
    expect(requested.map(count)).toEqual(requested.map((limit) => Math.min(limit, most, there)))
  },
)
