/** What `bun run check` runs: every test that an added operation can break. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { operationListReaders, operationTests, UNTOUCHED } from '../../scripts/operation-tests.ts'

const names = (files: string[]) => files.map((file) => path.basename(file, '.test.ts'))

test('tests of all operations are found wherever they lie, also by what they import', async () => {
  expect(names(await operationTests())).toEqual(
    expect.arrayContaining([
      ...['example-answers', 'suite', 'derived-errors', 'every-operation', 'random-input'],
      ...['api-documents', 'api-documents-match-service', 'generated-documents'],
      ...['requirements', 'house-rules'],
    ]),
  )
})

test('tests that know only a world are not', async () => {
  expect(names(await operationListReaders())).not.toContain('order-books')
})

test('whoever is left out is there and reads the list of operations', async () => {
  expect(names(await operationListReaders())).toEqual(
    expect.arrayContaining(Object.keys(UNTOUCHED)),
  )
})
