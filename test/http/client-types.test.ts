/** The client's generated types are those of the declarations, with their descriptions. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { type Client, client } from '../../src/clients/service/client.ts'
import type { ChannelTypes } from '../../src/clients/service/contract/channels.ts'
import type { Contract, DataOf, PushOf, Streams } from '../../src/clients/service/contract-types.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { VENUE_INFO_TYPES } from '../../src/contract/info/index.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const FOLDER = path.join(PROJECT_FOLDER, 'src', 'clients', 'service', 'contract')
const textOf = (name: string) => Bun.file(path.join(FOLDER, `${name}.ts`)).text()

/** The answer of a client's method. */
type Answered<M> = M extends (...given: never[]) => Promise<infer D> ? D : never

/** Operations of a group whose generated answers differ from the declared ones. */
type Differing<G extends keyof Contract> = {
  [N in keyof Contract[G]]: N extends 'info'
    ? never
    : undefined extends Answered<Client[G][N & keyof Client[G]]>
      ? never
      : DataOf<Contract[G][N]> extends Answered<Client[G][N & keyof Client[G]]>
        ? never
        : N
}[keyof Contract[G]]

/** Channels whose pushes differ. */
type DifferingChannel = {
  [N in keyof Streams]: PushOf<Streams[N]> extends ChannelTypes[N]['data'] ? never : N
}[keyof Streams]

test('answers and pushes have the types of their declarations', () => {
  const none: [
    Differing<'coin'> | Differing<'content'> | Differing<'distributor'> | Differing<'futures'>,
    Differing<'index'> | Differing<'indicator'> | Differing<'mix'> | Differing<'perpdex'>,
    Differing<'signal'> | Differing<'stock'> | DifferingChannel,
  ][] = []
  expect(none).toEqual([])
})

test('the parameters and the answer of info depend on its type', () => {
  const requested = async ({ perpdex }: Client) => {
    const { levels } = (await perpdex.info({ body: { type: 'l2Book', coin: 'BTC' } })) ?? {}
    const fills = await perpdex.info({ body: { type: 'userFills', user: '0x' } })
    // @ts-expect-error: the coin is missing
    await perpdex.info({ body: { type: 'l2Book' } })
    // @ts-expect-error: there is no such type
    await perpdex.info({ body: { type: 'l2Books', coin: 'BTC' } })
    // @ts-expect-error: a price is text
    const px: number | undefined = levels?.[0][0]?.px
    return [px, fills[0]?.closedPnl satisfies string | undefined]
  }
  expect(requested).toBeFunction()
})

test('every operation, info type and channel exists, with its description', async () => {
  const service = client({ baseUrl: 'http://there', accessKey: 'a', secretKey: 's' })
  const groups = service as unknown as Record<string, Record<string, unknown>>
  for (const { id, title } of OPERATIONS) {
    const [group = '', name = ''] = id.split('.')
    expect([id, typeof groups[group]?.[name]]).toEqual([id, 'function'])
    const doc = new RegExp(`/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\s+${name}(<|\\()`).exec(
      await textOf(group),
    )
    expect([id, wordsOf(doc?.[0] ?? '')]).toEqual([id, expect.stringContaining(wordsOf(title))])
  }
  const info = wordsOf(await textOf('info'))
  for (const { title } of VENUE_INFO_TYPES) expect(info).toContain(wordsOf(title))
})

/** Without comment markers and line breaks. */
const wordsOf = (text: string) => text.replaceAll(/[\s*/]+/g, ' ').trim()

test('fields have their descriptions', async () => {
  const fill = /interface UserFill \{[\s\S]*?\n\}/.exec(await textOf('records'))?.[0]
  expect(fill).toContain('/** trade id, the same on both sides */\n  tid: number')
  expect(fill).toContain('/** true for the taker */\n  crossed: boolean')
})

test('common types of operations are one type, and others extend it', async () => {
  const [records, perpdex] = [await textOf('records'), await textOf('perpdex')]
  expect(records).toContain('export interface PastFoundTrader extends FoundTrader {')
  expect(perpdex).toContain('body?: TraderSearch\n')
  expect(perpdex).toContain('body?: TraderSearch & {')
  const requested = ({ perpdex: { tradersDiscoverHistory } }: Client) => [
    tradersDiscoverHistory({ body: { startTime: 1, sort: { field: 'winRate' } } }),
    // @ts-expect-error: a direction is one of four words
    tradersDiscoverHistory({ body: { sort: { field: 'winRate', dir: 'up' } } }),
  ]
  expect(requested).toBeFunction()
})
