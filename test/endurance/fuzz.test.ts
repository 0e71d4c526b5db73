/** A short run of the fuzzer at every target, with a fixed seed; and a failing target. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { attempt, retry } from '../../bench/fuzz/attempt.ts'
import { fuzzTarget } from '../../bench/fuzz/fuzz-target.ts'
import { FUZZ_TARGETS } from '../../bench/fuzz/targets.ts'

const SEED = 20_261_122

test.each(FUZZ_TARGETS.map((one) => ({ name: one.name, one })))(
  'generated input to the target $name breaks nothing',
  async ({ name, one }) => {
    const open = await one.open()
    const runs = Math.max(10, one.perSecond)
    expect(await attempt(name, open, { seed: SEED, runs })).toBe(null)
    await open.close()
  },
)

test('a failing input is minimised, stored in a file, and fails again from there', async () => {
  const words = fuzzTarget<string[]>({
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
  expect(failure).toMatchObject({ target: 'words', seed: SEED, script: ['bad'] })
  const kept = JSON.parse(JSON.stringify(failure))
  expect(await retry(open, kept.script)).toContain('a bad word')
  expect(await retry(open, ['good'])).toBe(null)
})
