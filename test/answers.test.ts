import { expect, test } from 'bun:test'
import { answers } from '../scripts/answers.ts'
import recorded from '../src/specs/answers.json' with { type: 'json' }

test('the examples of the papers are what is answered now; else run `bun run reference`', async () => {
  expect(JSON.parse(JSON.stringify(await answers()))).toEqual(recorded as never)
})
