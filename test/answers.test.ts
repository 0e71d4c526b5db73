import { expect, test } from 'bun:test'
import { answers } from '../scripts/answers.ts'
import recorded from '../src/specs/answers.json' with { type: 'json' }

test('examples are what is answered now; else run `bun run generate`', async () => {
  const now: unknown = JSON.parse(JSON.stringify(await answers()))
  expect(now).toEqual(recorded as never)
})
