import { expect, test } from 'bun:test'
import { BUN_VERSION, bunFlaw } from './bun-version.ts'

test('a Bun that is too old gets the required version', () => {
  expect(bunFlaw('1.0.3')).toBe(
    `tapewright needs Bun ${BUN_VERSION} or later, this is Bun 1.0.3: run \`bun upgrade\``,
  )
  expect([bunFlaw(BUN_VERSION), bunFlaw('99.0.0')]).toEqual([null, null])
})
