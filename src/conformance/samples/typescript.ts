/** A program in TypeScript that asks something again by the project's client. */

/** A call of the client: `perpdex.fillsOfAddress({path, query, body})`. */
export interface ClientCallSample {
  baseUrl: string
  operation: string
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
}

/** What a client follows: `subscribe('l2Book', {coin: 'BTC'})`. */
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

/** Numbers and truth values of a query as such. */
const valuesOf = (query: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(query).map(([name, text]) => [name, readValue(text)]))

const readValue = (text: string): unknown =>
  /^(true|false|-?(0|[1-9]\d{0,14})(\.\d+)?)$/.test(text) ? JSON.parse(text) : text

/** A value as TypeScript has it: names without quotes, texts in single ones. */
export function literal(value: unknown): string {
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
