/** The documents match requests, responses and pushes of a sandbox. */
import { expect, test } from 'bun:test'
import Ajv from 'ajv'
import {
  filledExample,
  PLACEHOLDER_ADDRESS,
  type TargetInventory,
} from '../../src/conformance/example-filler.ts'
import { CHANNELS, OPERATIONS } from '../../src/contract/catalogue.ts'
import { typeName } from '../../src/contract/documents/components.ts'
import { INFO_TYPES } from '../../src/contract/info/index.ts'
import type { RefusalName } from '../../src/contract/refusal.ts'
import { REFUSALS } from '../../src/contract/refusal-forms.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import {
  documents,
  type Json,
  messagesOf,
  operationsOf,
  resolved,
  schemaError,
  schemaOf,
} from '../fixtures/api-documents.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

test('the examples of requests and refusals match their schemas', () => {
  const flaws = operationsOf().flatMap(({ operationId, operation }) => {
    const media = [operation.requestBody, ...Object.values(operation.responses)].map(resolved)
    return [
      ...(operation.parameters ?? []),
      ...media.flatMap((one) => one?.content?.['application/json'] ?? []),
    ].flatMap(({ schema, examples = {} }) =>
      Object.entries(examples).flatMap(([name, { value }]) => {
        const wrong = schemaError(schema, value)
        return wrong === null ? [] : [`${operationId}, ${name}: ${wrong}`]
      }),
    )
  })
  expect(flaws).toEqual([])
})

test('a mismatching value is found', () => {
  const tickers = operationsOf().find(({ operationId }) => operationId === 'perpdex.tickers')
  const [schema] = schemaOf(tickers?.operation.responses[200])
  const answer = (data: unknown) => ({ code: '0', msg: 'success', data })
  expect(schemaError(schema, answer([{ coin: 'BTC', price: '1.5' }]))).toBeNull()
  expect(schemaError(schema, answer([{ coin: 'BTC', price: 1.5 }]))).toBeString()
  expect(schemaError(schema, answer([{ coin: 'BTC' }]))).toBeString()
  expect(schemaError(schema, { ...answer([]), code: '200' })).toBeString()
})

async function market() {
  const { registry, cast } = await recordedRegistry({ epoch: 'tape' })
  return { transport: memoryTransport(registry), inventory: cast() as unknown as TargetInventory }
}

const sandbox = market()

test.each(operationsOf())('$operationId answers as documented', async (documented) => {
  const { transport, inventory } = await sandbox
  const declared = OPERATIONS.find(({ id }) => id === documented.operationId)
  for (const example of declared?.examples ?? []) {
    const given = declared ? filledExample(declared, example, inventory) : example
    const path = documented.path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(given.path?.[name] ?? ''),
    )
    const ask = (key: string, query: object = {}, body?: unknown) => {
      const signature = declared?.access.kind === 'public' ? '' : signed(key)
      const all = `${signature}&${new URLSearchParams({ ...query })}`
      const { status, body: text } = transport.request(
        documented.method,
        `${path}?${all}`,
        toText(body),
      )
      const [promised] = schemaOf(documented.operation.responses[status])
      return [status, schemaError(promised, JSON.parse(text))]
    }
    const [status, wrong] = ask('demo', given.query, given.body)
    expect([example.name, wrong]).toEqual([example.name, null])
    expect([200, ...(declared?.refuses ?? []).map(statusOf)]).toContain(Number(status))
    if (declared?.access.kind === 'permission') expect(ask('demo-bare')).toEqual([403, null])
    if (declared?.access.kind !== 'public') expect(ask('nobody')).toEqual([401, null])
    // A requested field may be present or absent: both are documented.
    expect(ask('demo')[1]).toBeNull()
  }
})

test.each(INFO_TYPES)('POST /info $type answers as its own schema declares', async (info) => {
  const { transport, inventory } = await sandbox
  const holder = inventory.openPositions[0]?.address ?? ''
  for (const rest of info.examples) {
    const body = JSON.parse(
      JSON.stringify({ type: info.type, ...rest }).replaceAll(PLACEHOLDER_ADDRESS, holder),
    )
    const answer = transport.request('POST', `/api/upgrade/v2/hl/info?${signed()}`, toText(body))
    const promised = { $ref: `#/components/schemas/Info${typeName(info.type)}Answer` }
    expect(schemaError(promised, JSON.parse(answer.body).data)).toBeNull()
  }
})

const statusOf = (name: RefusalName): number => REFUSALS[name].status
const toText = (body: unknown): string => (body === undefined ? '' : JSON.stringify(body))

const draft07 = new Ajv({ strict: false })

/** Documented messages of a path that match a frame. */
function matchingMessages(address: string, from: string, frame: unknown): string[] {
  return messagesOf()
    .filter((message) => message.address === address && message.from === from)
    .filter(({ payload }) => draft07.validate(payload, frame))
    .map(({ name }) => name)
}

test('every example of a frame matches exactly one message', () => {
  const examples = messagesOf().filter((message) => message.examples.length > 0)
  expect(examples.length).toBeGreaterThan(2 * CHANNELS.length)
  for (const { address, from, name, examples: frames } of examples)
    for (const frame of frames) expect(matchingMessages(address, from, frame)).toEqual([name])
})

test('client frames are parsed as documented', () => {
  for (const { address, name, from, examples } of messagesOf()) {
    if (from !== 'client') continue
    const channel = CHANNELS.find(({ dialect }) => address.endsWith(dialect.path))
    for (const frame of examples) {
      const command = channel?.dialect.parse(frame, JSON.stringify(frame)).command
      const meant = name.split('.').at(-1) ?? ''
      expect([name, command]).toEqual([name, commands(channel?.dialect.name, meant)])
    }
  }
})

function commands(dialect: string | undefined, meant: string) {
  const lists = dialect === 'addresses' && meant.endsWith('subscribe')
  return (lists ? 'addresses' : meant) as 'ping'
}

test.each(Object.values(documents.asyncapi.channels))(
  '$address sends nothing undocumented, and all that is documented',
  async ({ address }) => {
    const { registry, sandbox: own, cast } = await recordedRegistry({ epoch: 'tape' })
    const socket = memoryTransport(registry).connect(
      `${address}?${signed('demo', -1)}`,
    ) as MemorySocket
    const { addresses, openPositions } = cast()
    const users = [...Object.values(addresses), ...openPositions.map((one) => one.address)]
    const asks = messagesOf().filter(
      (message) => message.address === address && message.from === 'client',
    )
    const send = (frame: unknown) => socket.send(JSON.stringify(real(frame, users)))
    for (const { name, examples } of asks)
      if (!/unsubscribe$|close/.test(name)) for (const frame of examples) send(frame)
    socket.send('nonsense')
    await own.clock.advance(59_000)
    for (const { name, examples } of asks) if (name.endsWith('unsubscribe')) examples.map(send)
    const messages = messagesOf().filter(
      (message) => message.address === address && message.from === 'service',
    )
    const received = new Set(
      socket.frames.map((text) => {
        const kinds = matchingMessages(address, 'service', JSON.parse(text))
        return kinds.length === 1 ? kinds[0] : `${kinds.length} kinds: ${text.slice(0, 300)}`
      }),
    )
    expect([...received].sort()).toEqual(messages.map(({ name }) => name).sort())
  },
)

/** The same frame for existing accounts. */
function real(frame: unknown, users: readonly string[]): unknown {
  const [first = ''] = users
  const { address } = frame as { address?: unknown }
  if (address !== undefined) return { ...(frame as Json), address: users }
  return JSON.parse(JSON.stringify(frame).replaceAll(PLACEHOLDER_ADDRESS, first))
}
