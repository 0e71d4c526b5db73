import { expect, test } from 'bun:test'
import { exampleAnswers } from '../../scripts/example-answers.ts'
import recorded from '../../src/contract/documents/example-answers.json' with { type: 'json' }

test('examples are up to date; else run `bun run generate`', async () => {
  const now: unknown = JSON.parse(JSON.stringify(await exampleAnswers()))
  expect(now).toEqual(recorded as never)
})
