import { DEMO_INVITE, DEMO_KEYS } from '../../specs/demo-keys.ts'

/** What is printed under the line that says where the server listens: keys and links. */
export function startUpText(origin: string): string {
  const sockets = origin.replace(/^http/, 'ws')
  const [first = '', ...others] = keyLines()
  return [
    '',
    `  base_url     ${origin}`,
    `  ws_base_url  ${sockets}`,
    `  keys         ${first}`,
    ...others.map((line) => `               ${line}`),
    `  invite       ${DEMO_INVITE}`,
    `  pages        ${origin}/  ${origin}/swagger  ${origin}/asyncapi  ${origin}/reference`,
    `  documents    ${origin}/openapi.json  ${origin}/asyncapi.json`,
    `  control      ${origin}/_control  ${origin}/_control/sandboxes`,
  ].join('\n')
}

function keyLines(): string[] {
  const pairs = DEMO_KEYS.map(({ accessKey, secretKey }) => `${accessKey} / ${secretKey}`)
  const width = Math.max(...pairs.map((pair) => pair.length))
  return DEMO_KEYS.map(({ about }, index) => `${(pairs[index] ?? '').padEnd(width)}  ${about}`)
}
