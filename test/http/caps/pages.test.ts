/** Every paged list has more than one page, up to the last allowed one. */
import { expect, test } from 'bun:test'
import { OPERATIONS } from '../../../src/contract/catalogue.ts'
import { parametersOf } from '../../../src/contract/parameters.ts'
import { requestedMarket } from '../../fixtures/requested-market.ts'
import { rowsOf } from './cap.ts'
import { PAGE_TRIALS } from './page-trials.ts'

const market = await requestedMarket()
const PAGED = OPERATIONS.flatMap((operation) => {
  const page = parametersOf(operation).find(({ name }) => /^page(Num)?$/.test(name))
  return page ? [{ id: operation.id, operation, page }] : []
})

test('every list in pages has a trial, and every trial such a list', () => {
  expect(Object.keys(PAGE_TRIALS).sort()).toEqual(PAGED.map(({ id }) => id).sort())
})

test.each(PAGED)('$id has more than one page', ({ id, operation, page }) => {
  const { place, name, schema } = page
  const given = PAGE_TRIALS[id]?.(market) ?? {}
  const rows = (number: number) => {
    const requested =
      place === 'body' ? { [name]: number, pageSize: 2 } : { [name]: `${number}`, pageSize: '2' }
    const request = { ...given, [place]: { ...given[place], ...requested } }
    return rowsOf(market.ask(operation.method, operation.path, request), {})
  }
  const last = (schema['x-cut'] as number | undefined) ?? 3
  const [first, second, ...end] = [1, 2, last - 1, last, last + 1].map(rows)
  expect([first, second, ...end].map((list) => list?.length)).toEqual([2, 2, 2, 2, 2])
  expect(first).not.toEqual(second)
  const [before, at, beyond] = end
  expect(before).not.toEqual(at)
  // A page beyond the last allowed one is that page again.
  if (schema['x-cut'] !== undefined) expect(beyond).toEqual(at)
})
