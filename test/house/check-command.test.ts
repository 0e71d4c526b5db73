/** What `bun run check` runs: tests that an added operation can break. */
import { expect, test } from 'bun:test'
import {
  operationListReaders,
  operationTests,
  testName,
  UNTOUCHED,
} from '../../scripts/operation-tests.ts'

const names = (files: string[]) => files.map(testName)

test('tests of all operations are found wherever they lie, also by what they import', async () => {
  expect(names(await operationTests())).toEqual(
    expect.arrayContaining([
      ...['conformance/requirements', 'world/grown-world', 'http/caps/limits'],
      ...['http/derived-errors', 'http/every-operation', 'http/random-input'],
      ...['pages/example-answers', 'pages/api-documents', 'pages/api-documents-match-service'],
      ...['pages/generated-documents', 'house/house-rules'],
    ]),
  )
})

test('tests that know only a world are not', async () => {
  expect(names(await operationListReaders())).not.toContain('world/order-books')
})

test('whoever is left out is there and reads the list of operations', async () => {
  expect(names(await operationListReaders())).toEqual(
    expect.arrayContaining(Object.keys(UNTOUCHED)),
  )
})
