/** A short run of the fuzzer at every door, always with the same seed; and that it can fail. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { attempt, retry } from '../../fuzz/attempt.ts'
import { door } from '../../fuzz/door.ts'
import { DOORS } from '../../fuzz/doors.ts'

const SEED = 20_261_122

test.each(DOORS.map((one) => ({ name: one.name, one })))(
  'generated input at the door of $name breaks nothing',
  async ({ name, one }) => {
    const open = await one.open()
    const runs = Math.max(10, one.perSecond)
    expect(await attempt(name, open, { seed: SEED, runs })).toBe(null)
    await open.close()
  },
)

test('what fails is made short, can be put into a file, and fails again from there', async () => {
  const words = door<string[]>({
    name: 'words',
    about: 'lists of words',
    perSecond: 1,
    open: async () => ({
      scripts: fc.array(fc.constantFrom('good', 'fine', 'bad')),
      async check(script) {
        if (script.includes('bad')) throw new Error('a bad word')
      },
    }),
  })
  const open = await words.open()
  const failure = await attempt('words', open, { seed: SEED, runs: 100 })
  expect(failure).toMatchObject({ door: 'words', seed: SEED, script: ['bad'] })
  const kept = JSON.parse(JSON.stringify(failure))
  expect(await retry(open, kept.script)).toContain('a bad word')
  expect(await retry(open, ['good'])).toBe(null)
})
