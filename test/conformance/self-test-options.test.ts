/** The flag of a self-test. */
import { expect, test } from 'bun:test'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { CONFORM } from '../../src/server/commands/conform/declaration.ts'
import { conformOptions } from '../../src/server/commands/conform/options.ts'

const PLACE = ['--target', 'http://a', '--key', 'k', '--secret', 's']

const options = (...more: string[]) =>
  conformOptions(readFlags('conform', [...PLACE, ...more], CONFORM.flags))

test('a self-test judges the suite: it takes no report on the target', () => {
  expect(options().selfTest).toBeUndefined()
  expect(options('--self-test', '5').selfTest).toBe(5)
  expect(() => options('--self-test', '5', '--report', 'md=x')).toThrow(
    '--self-test judges the suite, not the target: leave --report out',
  )
})
