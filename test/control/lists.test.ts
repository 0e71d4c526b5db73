/** Lists in pages: complete, in order, whatever is added or dropped in between. */
import { expect, test } from 'bun:test'
import { controlCaller } from '../fixtures/control-caller.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'

const MINE = { id: 'mine' }

/** Four lists with entries `e1` to `e7` besides the initial ones. */
async function filled() {
  const registry = await fakeRegistry()
  const ask = controlCaller(registry)
  const mine = await registry.create({ name: 'mine' })
  for (let n = 1; n <= 7; n++) {
    await registry.create({ name: `e${n}` })
    const { secretKey } = mine.keys.full
    mine.tenancy.addKey({ ...mine.keys.full, accessKey: `e${n}`, secretKey })
    await ask('invite.create', { body: { inviteToken: `e${n}-token` } })
    const params = { ...MINE, bookmark: `e${n}` }
    await ask('bookmark.set', { params, body: { at: n } })
  }
  const page = async (list: List, query: string) => {
    const answer = await ask(list.id, { params: MINE, query })
    const names = (answer.body as Record<string, string>[]).map((entry) => entry[list.field])
    return { ...answer, names, next: /\?(.*)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1] }
  }
  return { registry, ask, mine, page }
}

interface List {
  id: string
  field: string
  /** The initial entries. */
  before: number
  suffix?: string
}

const LISTS: List[] = [
  { id: 'sandbox.list', field: 'id', before: 2 },
  { id: 'key.list', field: 'accessKey', before: 4 },
  { id: 'invite.list', field: 'inviteToken', before: 1, suffix: '-token' },
  { id: 'bookmark.list', field: 'bookmark', before: 0 },
]

for (const list of LISTS) {
  const named = (...numbers: number[]) => numbers.map((n) => `e${n}${list.suffix ?? ''}`)

  test(`${list.id} is complete without parameters, and has the same entries in pages`, async () => {
    const { page } = await filled()
    const whole = await page(list, '')
    expect([whole.names.length, whole.next]).toEqual([list.before + 7, undefined])
    const names: unknown[] = []
    let query: string | undefined = 'limit=2'
    while (query !== undefined) {
      const { names: some, next } = await page(list, query)
      expect(some.length).toBeLessThanOrEqual(2)
      names.push(...some)
      query = next
    }
    expect(names).toEqual(whole.names)
    expect(names.slice(list.before)).toEqual(named(1, 2, 3, 4, 5, 6, 7))
  })

  test(`${list.id} continues in place when entries are added and removed`, async () => {
    const { page, mine, registry, ask } = await filled()
    const first = await page(list, `limit=${list.before + 3}`)
    expect(first.names.slice(list.before)).toEqual(named(1, 2, 3))
    for (const name of ['e1', 'e3', 'e5']) {
      registry.drop(name)
      mine.tenancy.removeKey(name)
      mine.tenancy.invites.delete(`${name}-token`)
      mine.bookmarks.delete(name)
    }
    await registry.create({ name: 'e8' })
    mine.tenancy.addKey({ ...mine.keys.full, accessKey: 'e8' })
    await ask('invite.create', { body: { inviteToken: 'e8-token' } })
    await ask('bookmark.set', { params: { ...MINE, bookmark: 'e8' }, body: {} })
    const rest = await page(list, first.next?.replace(/limit=\d+/, 'limit=9') ?? '')
    expect([rest.names, rest.next]).toEqual([named(4, 6, 7, 8), undefined])
  })

  test(`${list.id} refuses an invalid cursor, and a page that is too long`, async () => {
    const { ask } = await filled()
    const errorOf = async (query: string) =>
      (await ask(list.id, { params: MINE, query })).body.error
    expect(await errorOf('cursor=e3')).toContain('cursor must be what the Link header')
    expect(await errorOf('limit=5000')).toContain(
      'limit must be a whole number from 1 to 1000, not 5000',
    )
    expect(await errorOf('limit=0')).toContain('not 0')
  })
}

test('a sandbox that is restored from a snapshot keeps its place', async () => {
  const { page, ask } = await filled()
  const params = { id: 'e4' }
  await ask('snapshot.put', { params, body: (await ask('snapshot.get', { params })).body })
  const { names } = await page(LISTS[0] as List, '')
  expect(names).toEqual(['default', 'mine', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7'])
})

test('a refusal names some of many sandboxes', async () => {
  const { ask, registry } = await filled()
  for (let n = 8; n < 30; n++) await registry.create({ name: `e${n}` })
  const { status, body } = await ask('sandbox.get', { params: { id: 'nobody' } })
  expect([status, body.error]).toEqual([
    404,
    expect.stringMatching(
      /^no sandbox "nobody"; there are default, mine, e1, .*, e18 and 11 more$/,
    ),
  ])
})
