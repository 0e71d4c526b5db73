/** `serve --state` killed, and on a disk without space, while it writes: again and again. */
import { beforeAll, expect, test } from 'bun:test'
import { diskFullRounds } from '../../bench/soak/disk-full-rounds.ts'
import { killRounds } from '../../bench/soak/kill-rounds.ts'
import { shortTapeCast } from '../fixtures/short-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const ROUNDS = 12
const TROUBLED_ROUNDS = 3
const file = temporaryFolder()
const filesOf = (name: string) => ({
  tape: file('short.tape.ndjson'),
  state: file(`${name}-state`),
  cache: file('cache'),
})
beforeAll(() => shortTapeCast(file('short.tape.ndjson'), file('cache')))

test(`killed ${ROUNDS} times, it has lost no acknowledged change`, async () => {
  const { things, problems } = await killRounds(filesOf('killed'), ROUNDS, 1)
  expect(problems).toEqual([])
  expect(things.reads).toBeGreaterThan(ROUNDS)
  const { levels, alerts, keys, bookmarks, sandboxes, usedInvites } = things
  for (const sort of [levels, alerts, keys, bookmarks, sandboxes, usedInvites])
    expect([...sort.values()]).toContain('there')
})

test('changes refused for lack of space are undone, and nothing is lost', async () => {
  const { things, problems } = await diskFullRounds(filesOf('full'), TROUBLED_ROUNDS, 1)
  expect(problems).toEqual([])
  expect(things.refused).toBeGreaterThan(0)
  expect(things.made).toBeGreaterThan(0)
})
