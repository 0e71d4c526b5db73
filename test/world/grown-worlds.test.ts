/** Worlds that go on after their tape: the same bytes however they are grown. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openGrown } from '../../src/world/grown-world.ts'
import { Growth } from '../../src/world/growth/growth.ts'
import type { World } from '../../src/world/world.ts'
import { growTo, lineOf, tableDigests } from '../fixtures/grown-world.ts'
import { smallWorld } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
/** More than a segment. */
const MINUTES = 64
let base: World

beforeAll(async () => {
  base = await smallWorld()
  growTo(lineOf(base, at('whole.sqlite')), MINUTES)
})
afterAll(() => base.close())

test('a line grown in pieces is the line grown in one go', () => {
  const order = lineOf(base, at('pieces.sqlite'))
  for (const minutes of [2, 17.5, 60, MINUTES]) growTo(order, minutes)
  expect(tableDigests(order.file)).toEqual(tableDigests(at('whole.sqlite')))
})

test('what is not committed is grown again', () => {
  const order = lineOf(base, at('broken.sqlite'))
  for (const commits of [3, 25, 4]) {
    const growth = Growth.open(order)
    const growing = growth.grow(Number.POSITIVE_INFINITY)
    for (let commit = 0; commit < commits; commit++) growing.next()
    growth.close()
  }
  growTo(order, MINUTES)
  expect(tableDigests(order.file)).toEqual(tableDigests(at('whole.sqlite')))
})

test('a world of a line goes as far as it has been grown', () => {
  const order = lineOf(base, at('read.sqlite'))
  growTo(order, 2)
  const world = openGrown(order.file, base.endMs)
  expect([world.tapeEndMs, world.endMs - base.endMs]).toEqual([base.endMs, 120_000 as never])
  world.close()
})
