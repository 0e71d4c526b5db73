/** What is said once the server is ready: where it is, its keys and links. */
import { DEMO_INVITE, DEMO_KEYS } from '../../../contract/documents/demo-keys.ts'

/** For a program. */
export function readyRecord(origin: string) {
  const keys = DEMO_KEYS.map(({ role, accessKey, secretKey }) => [role, { accessKey, secretKey }])
  return {
    baseUrl: origin,
    wsBaseUrl: origin.replace(/^http/, 'ws'),
    keys: Object.fromEntries(keys),
    inviteToken: DEMO_INVITE,
    pages: PAGES.map((page) => origin + page),
    documents: DOCUMENTS.map((document) => origin + document),
    control: `${origin}/_control/sandboxes`,
  }
}

/** For people: the line that says where it listens, and the rest under it. */
export function startUpText(origin: string): string {
  const { baseUrl, wsBaseUrl, inviteToken, pages, documents, control } = readyRecord(origin)
  return [
    `tapewright listening on ${origin}`,
    '',
    `  base URL     ${baseUrl}`,
    `  sockets      ${wsBaseUrl}`,
    ...keyLines().map((line, at) => `  ${at === 0 ? 'keys         ' : '             '}${line}`),
    `  invite       ${inviteToken}`,
    `  pages        ${pages.join('  ')}`,
    `  documents    ${documents.join('  ')}`,
    `  control      ${origin}/_control  ${control}`,
  ].join('\n')
}

/** Where the demo is: for the projector, and for guests who can change nothing. */
export const demoText = (origin: string, guestToken: string): string =>
  [
    '',
    `  demo         ${origin}/console?demo`,
    `  for guests   ${origin}/console?demo#guest=${guestToken}`,
  ].join('\n')

function keyLines(): string[] {
  const pairs = DEMO_KEYS.map(({ accessKey, secretKey }) => `${accessKey} / ${secretKey}`)
  const width = Math.max(...pairs.map((pair) => pair.length))
  return DEMO_KEYS.map(({ about }, at) => `${(pairs[at] ?? '').padEnd(width)}  ${about}`)
}

const PAGES = ['/', '/console', '/swagger', '/asyncapi', '/reference']
const DOCUMENTS = ['/openapi.json', '/asyncapi.json']
