import { expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020'
import { controlAnswers } from '../../scripts/control-answers.ts'
import { openapiSchema } from '../../src/contract/documents/components.ts'
import recorded from '../../src/server/control/example-answers.json' with { type: 'json' }
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'

test('examples are the present answers; else run `bun run generate`', async () => {
  const now: unknown = JSON.parse(JSON.stringify(await controlAnswers()))
  expect(now).toEqual(recorded as never)
})

for (const { id, data } of CONTROL_OPERATIONS) {
  const shown = (recorded as Record<string, { answer: unknown }[]>)[id] ?? []
  if (shown.length > 0)
    test(`${id}: the example has the documented form`, () => {
      const check = new Ajv2020({ strict: false }).compile(openapiSchema(data))
      for (const { answer } of shown) expect(check(answer) || check.errors).toBe(true)
    })
}
