// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are lines of a program
/** A part of a journal as a test that repeats it against a new sandbox. */

/** A request and its response, or a client's frames on a socket and the received ones. */
export type TestStep = {
  /** Session time, ms. */
  atMs: number
  /** Role of the signing key; null for none. */
  role: string | null
  /** Whether its signature was wrong. */
  isForged: boolean
} & (
  | {
      kind: 'request'
      method: string
      /** Path and query, without credentials. */
      target: string
      body: string
      status: number
      /** Code in its response, if known. */
      code: string | null
    }
  | { kind: 'open'; connection: number; target: string }
  | { kind: 'said'; connection: number; text: string }
  | { kind: 'pushed'; connection: number; channel: string }
  | { kind: 'closed'; connection: number }
)

export interface TestFile {
  form: 'bun' | 'playwright'
  title: string
  /** Options of the sandbox, besides a held clock. */
  options: Readonly<Record<string, unknown>>
  steps: readonly TestStep[]
}

/** The text of the file. */
export function testFile({ form, title, options, steps }: TestFile): string {
  const lines = bodyLines(steps)
  const made = literal({ clock: 'held', ...options })
  const head =
    form === 'bun'
      ? [
          "import { expect, test } from 'bun:test'",
          "import { createHmac, randomUUID } from 'node:crypto'",
          "import { createSandbox, type SandboxHandle } from 'tapewright'",
          '',
          `test(${literal(title)}, async () => {`,
          `  await using sandbox = await createSandbox(${made})`,
        ]
      : [
          "import { createHmac, randomUUID } from 'node:crypto'",
          "import { expect, type SandboxFixtures, test } from 'tapewright/playwright'",
          '',
          "type SandboxHandle = SandboxFixtures['sandbox']",
          '',
          `test.use({ sandboxOptions: ${made} })`,
          '',
          `test(${literal(title)}, async ({ sandbox }) => {`,
        ]
  const functions = [...ASKING, ...following(form)]
  return [...head, ...lines.map((line) => `  ${line}`), '})', '', ...functions, ''].join('\n')
}

function bodyLines(steps: readonly TestStep[]): string[] {
  const lines: string[] = []
  let lastMs = steps[0]?.atMs ?? 0
  const sockets = new Set<number>()
  for (const step of steps) {
    const isReceived = step.kind === 'pushed' || step.kind === 'said' || step.kind === 'closed'
    if (isReceived && !sockets.has(step.connection)) continue
    const passedMs = Math.round(step.atMs - lastMs)
    if (passedMs > 0) lines.push(`await sandbox.clock.advance(${passedMs})`)
    lastMs = Math.max(lastMs, step.atMs)
    if (step.kind === 'open') sockets.add(step.connection)
    lines.push(...stepLines(step))
  }
  for (const connection of sockets) lines.push(`socket${connection}.close()`)
  return lines
}

function stepLines(step: TestStep): string[] {
  const by = signingText(step)
  switch (step.kind) {
    case 'request': {
      const body = step.body === '' ? '' : `, ${literal(step.body)}`
      const target = `${literal(step.method)}, ${literal(step.target)}`
      const request = `ask(sandbox, ${by}, ${target}${body})`
      const code = step.code === null ? {} : { code: step.code }
      const expected = literal({ status: step.status, ...code })
      return [`expect(await ${request}).toMatchObject(${expected})`]
    }
    case 'open':
      return [
        `const socket${step.connection} = await follow(sandbox, ${by}, ${literal(step.target)})`,
      ]
    case 'said':
      return [`socket${step.connection}.send(${literal(step.text)})`]
    case 'pushed':
      return [`await socket${step.connection}.until(${literal(step.channel)})`]
    case 'closed':
      return []
  }
}

function signingText({ role, isForged }: TestStep): string {
  if (role === null) return 'null'
  return isForged ? `{ ...sandbox.keys.${role}, secretKey: 'wrong' }` : `sandbox.keys.${role}`
}

/** Support code of the test: a signed request, and a socket to wait on. */
const ASKING = [
  'type Key = { accessKey: string; secretKey: string } | null',
  '',
  'function signed(target: string, key: Key): string {',
  '  if (key === null) return target',
  '  const nonce = randomUUID()',
  '  const timestamp = Math.floor(Date.now() / 1000)',
  '  const text = `AccessKeyId=${key.accessKey}&SignatureNonce=${nonce}&Timestamp=${timestamp}`',
  "  const hex = createHmac('sha1', key.secretKey).update(text).digest('hex')",
  "  const signature = encodeURIComponent(Buffer.from(hex).toString('base64'))",
  "  return `${target}${target.includes('?') ? '&' : '?'}${text}&Signature=${signature}`",
  '}',
  '',
  'async function ask(at: SandboxHandle, key: Key, method: string, to: string, body?: string) {',
  "  const headers = { 'content-type': 'application/json' }",
  '  const sent = body === undefined ? {} : { body, headers }',
  '  const answer = await fetch(at.baseUrl + signed(to, key), { method, ...sent })',
  '  const text = await answer.text()',
  '  let code: unknown',
  '  try {',
  '    code = JSON.parse(text)?.code',
  '  } catch {}',
  '  return { status: answer.status, code, text }',
  '}',
  '',
]

const following = (form: TestFile['form']) => [
  'async function follow({ wsBaseUrl }: SandboxHandle, key: Key, to: string) {',
  ...(form === 'bun'
    ? ['  const socket = new WebSocket(wsBaseUrl + signed(to, key))']
    : [
        '  // Node before 22 has none of its own: npm install --save-dev ws',
        "  const Socket = globalThis.WebSocket ?? (await import('ws')).WebSocket",
        '  const socket = new Socket(wsBaseUrl + signed(to, key))',
      ]),
  '  const heard: string[] = []',
  '  let wake = () => {}',
  '  socket.onmessage = ({ data }) => {',
  '    heard.push(String(data))',
  '    wake()',
  '  }',
  '  await new Promise((resolve, reject) => {',
  '    socket.onopen = resolve',
  '    socket.onerror = reject',
  '  })',
  '  return {',
  '    send: (text: string) => socket.send(text),',
  '    close: () => socket.close(),',
  '    async until(channel: string) {',
  '      const isIt = (text: string) => text.includes(`"${channel}"`)',
  '      while (!heard.some(isIt))',
  '        await new Promise<void>((resolve) => {',
  '          wake = resolve',
  '        })',
  '    },',
  '  }',
  '}',
]

// A TypeScript program that repeats a request with the project's client.

/** A call of the client: `perpdex.fillsOfAddress({path, query, body})`. */
export interface ClientCallSample {
  baseUrl: string
  operation: string
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
}

/** A client's subscription: `subscribe('l2Book', {coin: 'BTC'})`. */
export interface ClientStreamSample {
  baseUrl: string
  streams: readonly { channel: string; subscription: Readonly<Record<string, unknown>> }[]
}

/** For an operation. */
export function callSample({ baseUrl, operation, path, query, body }: ClientCallSample): string {
  const given = {
    ...(path && Object.keys(path).length > 0 ? { path } : {}),
    ...(query && Object.keys(query).length > 0 ? { query: valuesOf(query) } : {}),
    ...(body === undefined ? {} : { body }),
  }
  const parameters = Object.keys(given).length === 0 ? '' : literal(given)
  return [
    ...clientLines(baseUrl),
    `console.log(await service.${operation}(${parameters}))`,
    'service.close()',
    '',
  ].join('\n')
}

/** For a socket. */
export const streamSample = ({ baseUrl, streams }: ClientStreamSample): string =>
  [
    ...clientLines(baseUrl),
    ...streams.map(
      ({ channel, subscription }) =>
        `service.subscribe(${literal(channel)}, ${literal(subscription)}, ` +
        '(data) => console.log(data))',
    ),
    '',
  ].join('\n')

const clientLines = (baseUrl: string): string[] => [
  "import { client } from 'tapewright/client'",
  '',
  "const { ACCESS_KEY: accessKey = '', SECRET_KEY: secretKey = '' } = process.env",
  `const service = client({ baseUrl: '${baseUrl}', accessKey, secretKey })`,
  '',
]

/** Numbers and booleans of a query without quotes. */
const valuesOf = (query: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(query).map(([name, text]) => [name, readValue(text)]))

const readValue = (text: string): unknown =>
  /^(true|false|-?(0|[1-9]\d{0,14})(\.\d+)?)$/.test(text) ? JSON.parse(text) : text

/** A TypeScript literal: names without quotes, texts in single ones. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quotedText(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  if (fields.length === 0) return '{}'
  const written = fields.map(
    ([name, one]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : quotedText(name)}: ${literal(one)}`,
  )
  return `{ ${written.join(', ')} }`
}

const quotedText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
