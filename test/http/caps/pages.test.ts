/** Wherever there are pages there is more than one, up to the last that can be asked for. */
import { expect, test } from 'bun:test'
import { OPERATIONS } from '../../../src/contract/catalogue.ts'
import { parametersOf } from '../../../src/contract/parameters.ts'
import { askedMarket } from '../../fixtures/asked-market.ts'
import { rowsOf } from './cap.ts'
import { PAGE_TRIALS } from './page-trials.ts'

const market = await askedMarket()
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
    const asked =
      place === 'body' ? { [name]: number, pageSize: 2 } : { [name]: `${number}`, pageSize: '2' }
    const request = { ...given, [place]: { ...given[place], ...asked } }
    return rowsOf(market.ask(operation.method, operation.path, request), {})
  }
  const last = (schema['x-cut'] as number | undefined) ?? 3
  const [first, second, ...end] = [1, 2, last - 1, last, last + 1].map(rows)
  expect([first, second, ...end].map((list) => list?.length)).toEqual([2, 2, 2, 2, 2])
  expect(first).not.toEqual(second)
  const [before, at, beyond] = end
  expect(before).not.toEqual(at)
  // Beyond the last page that can be asked for it is that page again.
  if (schema['x-cut'] !== undefined) expect(beyond).toEqual(at)
})
