/** Requests, frames and files with one growing part: of every declared field, and composed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CHANNELS, OPERATIONS } from '../../src/contract/catalogue.ts'
import type { TSchema } from '../../src/contract/schema.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { parseStoryYaml, StoryFields } from '../../src/sandbox/story/story-parser.ts'
import { configurable, readConfigFile } from '../../src/server/commands/config-file.ts'
import { SECTIONS } from '../../src/server/commands/config-sections.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'

/** All scaled requests; `remove` deletes the files that it wrote. */
export function scaledRequests(market: ScaledMarket) {
  const files = writtenFiles()
  return {
    declared: [...declaredRequests(market), ...declaredFrames(market), ...files.declared],
    composed: [...composedRequests(market), ...composedFrames(market), ...files.composed],
    remove: files.remove,
  }
}

/** Target of the requests. */
interface ScaledMarket {
  control(method: string, path: string, body: unknown): Promise<Answer>
  contract(path: string, body: unknown): Answer
  frame(body: unknown): Promise<Answer>
}

/** A request whose size follows a number. */
export interface Scaled {
  name: string
  /** Maximum response size, where it does not depend on results. */
  answerMax?: number
  /** Whether it runs before serving: then it may block the thread. */
  isAlone?: true
  body(n: number): unknown
  send(body: unknown): Promise<Answer> | Answer
}

export interface Answer {
  status: number
  length: number
}

/** A declared field, and the request with a growing value of it. */
export interface DeclaredRequest {
  name: string
  put(grow: (n: number) => unknown): Pick<Scaled, 'body' | 'send' | 'isAlone'>
}

/** Documents of which one field at a time grows. */
const grownFields = (
  name: string,
  fields: readonly (readonly string[])[],
  around: object,
  send: Scaled['send'],
): DeclaredRequest[] =>
  fields.map((at) => ({
    name: `${name} ${at.join('.')}`,
    put: (grow) => ({ body: (n) => ({ ...around, ...(within(at, grow(n)) as object) }), send }),
  }))

/** Every field of a channel's subscription, and of its frame. */
function declaredFrames({ frame }: ScaledMarket): DeclaredRequest[] {
  const around = grownFields(
    'a frame',
    [['method'], ['id'], ['subscription'], ['other']],
    {},
    frame,
  )
  const ofChannels = CHANNELS.flatMap(({ id, subscription }) =>
    fieldPaths(subscription).map((at) => ({
      name: `subscription to ${id} ${at.join('.')}`,
      put: (grow: (n: number) => unknown) => ({
        body: (n: number) => ({
          method: 'subscribe',
          subscription: { type: id, ...(within(at, grow(n)) as object) },
        }),
        send: frame,
      }),
    })),
  )
  return [...around, ...ofChannels]
}

function composedFrames({ frame }: ScaledMarket): Scaled[] {
  const large = (name: string, body: Scaled['body']): Scaled => ({
    name: `a frame of ${name}`,
    body,
    send: frame,
  })
  return [
    large('many subscriptions', (n) => ({
      method: 'subscribe',
      subscription: many(n, () => ({ type: 'trades', coin: 'BTC' })),
    })),
    large('an unknown channel', (n) => ({
      method: 'subscribe',
      subscription: { type: 'x'.repeat(50 * n), coin: 'y'.repeat(50 * n) },
    })),
    large('a list', (n) => many(n, () => ({ method: 'ping' }))),
  ]
}

/** Settings files in both formats, and stories: read at the start, before serving. */
function writtenFiles() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-cost-'))
  const settings = (ending: string) => async (body: unknown) => {
    const file = path.join(folder, `tapewright.config.${ending}`)
    // JSON is YAML as well.
    writeFileSync(file, JSON.stringify(body))
    return outcomeOf(() => readConfigFile(file))
  }
  const story = (body: unknown) =>
    outcomeOf(async () => parseStoryYaml('large', 'large.yaml', JSON.stringify(body), ['calm']))
  const sections = Object.entries(SECTIONS).flatMap(([section, { flags }]) =>
    configurable(flags).map((flag) => [section, flag]),
  )
  const fields = [...sections, ['serve'], ['other']]
  const step = { caption: { en: 'a', zh: 'b' } }
  const declared = [
    ...grownFields('settings in JSON', fields, {}, settings('json')),
    ...grownFields('settings in YAML', fields, {}, settings('yaml')),
    ...grownFields('a story', fieldPaths(StoryFields), { title: 'x', steps: [step] }, story),
  ].map(({ name, put }) => ({
    name,
    put: (grow: (n: number) => unknown) => ({ ...put(grow), isAlone: true as const }),
  }))
  const steps = (name: string, one: (at: number) => unknown): Scaled => ({
    name: `a story of ${name}`,
    isAlone: true,
    body: (n) => ({ title: 'x', steps: many(n, one) }),
    send: story,
  })
  const composed = [
    steps('steps', () => step),
    steps('numbers', () => 1),
    steps('unknown fields', () => ({ a: 1 })),
    steps('unknown scenarios', (at) => ({ ...step, do: [{ scenario: `none-${at}` }] })),
  ]
  return { declared, composed, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Result of reading a file, as a status and the length of the message. */
async function outcomeOf(read: () => Promise<unknown>): Promise<Answer> {
  try {
    await read()
    return { status: 200, length: 0 }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { status: 400, length: error.message.length }
  }
}

/** Calls that wait, drop things, or concern other processes. */
const LEFT_OUT = new Set(['await', 'sandbox.drop', 'sandbox.reset', 'conformance.start'])

/** Every body field of every call and operation. */
function declaredRequests({ control, contract }: ScaledMarket): DeclaredRequest[] {
  const calls = CONTROL_OPERATIONS.filter(({ id, method }) => method !== 'GET' && !LEFT_OUT.has(id))
  const ofCalls = calls.flatMap(({ id, method, path, params }) =>
    fieldPaths(params?.body).map((at) => ({
      name: `${id} ${at.join('.')}`,
      put: (grow: (n: number) => unknown) => ({
        body: (n: number) => within(at, grow(n)),
        send: (body: unknown) => control(method, `/_control${path}`, body),
      }),
    })),
  )
  const posts = OPERATIONS.filter(({ method, path }) => method === 'POST' && !path.includes(':'))
  const ofPosts = posts.flatMap(({ id, path, params }) =>
    [...fieldPaths(params.body), ['SignatureNonce'], ['type']].map((at) => ({
      name: `${id} ${at.join('.')}`,
      put: (grow: (n: number) => unknown) => ({
        body: (n: number) => within(at, grow(n)),
        send: (body: unknown) => contract(path, body),
      }),
    })),
  )
  return [...ofCalls, ...ofPosts]
}

function fieldPaths(schema: TSchema | undefined, depth = 2): string[][] {
  const fields = Object.entries((schema?.properties ?? {}) as Record<string, TSchema>)
  return fields.flatMap(([name, field]) => [
    [name],
    ...(depth > 1 ? fieldPaths(field, depth - 1).map((inner) => [name, ...inner]) : []),
  ])
}

const within = (at: readonly string[], value: unknown): unknown =>
  at.reduceRight((inner, name) => ({ [name]: inner }), value)

const many = <T>(n: number, one: (at: number) => T): T[] =>
  Array.from({ length: n }, (_, at) => one(at))

/** Documents with several fields of maximum size, and refused ones. */
function composedRequests({ control, contract }: ScaledMarket): Scaled[] {
  const scenario = (name: string, of: (n: number) => object): Scaled => ({
    name: `scenario of ${name}`,
    body: (n) => ({ title: 'x', rules: [], ...of(n) }),
    send: (body) => control('PUT', '/_control/sandboxes/:id/scenario', body),
  })
  const rules = (name: string, rule: (at: number) => unknown) =>
    scenario(name, (n) => ({ rules: many(n, rule) }))
  const texts = (count: number, about: string) => many(count, (at) => `${about}${at}`)
  const discover = (name: string, of: (n: number) => object): Scaled => ({
    name: `discover with ${name}`,
    body: of,
    send: (body) => contract('/hl/traders/discover', body),
  })
  const explained = (name: string, url: (n: number) => string): Scaled => ({
    name: `explain with ${name}`,
    answerMax: 64 << 10,
    body: (n) => ({ url: url(n) }),
    send: (body) => control('POST', '/_control/explain', body),
  })
  const signature = 'AccessKeyId=demo&Timestamp=1&Signature=x'
  return [
    rules('numbers', () => 1),
    rules('unknown fields', () => ({ a: 1 })),
    rules('one name', () => ({ name: 'same', do: 'stale' })),
    rules('rules', () => ({ do: 'stale' })),
    scenario('rules with coins', (n) => ({
      rules: many(Math.min(500, n / 8), () => ({ on: { coin: COINS }, do: 'stale' })),
    })),
    scenario('rules with unknown coins', (n) => ({
      rules: many(Math.min(500, n / 8), (at) => ({
        on: { coin: texts(20, `n${at}`) },
        do: 'stale',
      })),
    })),
    scenario('unknown operations', (n) => ({
      rules: [{ on: { operation: texts(n, 'perpdex.none') }, do: 'truncate' }],
    })),
    scenario('unknown keys', (n) => ({ rules: [{ on: { key: texts(n, 'k') }, do: 'stale' }] })),
    scenario('market events', (n) => ({ market: many(n, () => ({ a: 1 })) })),
    scenario('answers', (n) => ({
      questions: Object.fromEntries(texts(n, 'q').map((id) => [id, 'x'])),
    })),
    discover('filters', (n) => ({
      filters: many(n, () => ({ field: 'winRate', op: '>', val: 0 })),
    })),
    discover('coins', (n) => ({ anyCoins: texts(n, 'C') })),
    discover('columns', (n) => ({ selects: texts(n, 'col') })),
    explained('a nonce', (n) => `${TICKERS}?${signature}&SignatureNonce=${'n'.repeat(n * 200)}`),
    explained('an address', (n) => `/api/upgrade/v2/hl/fills/${'a'.repeat(n * 200)}?${signature}`),
    explained('parameters', (n) => `${TICKERS}?${texts(n, 'p').join('=1&')}&${signature}`),
  ]
}

const TICKERS = '/api/upgrade/v2/hl/tickers'
const COINS = ['BTC', 'ETH', 'SOL', 'HYPE'].flatMap((coin) => many(5, () => coin))
