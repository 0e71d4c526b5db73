/** What is said once the server is ready: where it is, its keys and links. */

/** For a program. */
export function readyRecord(origin: string) {
  return {
    baseUrl: origin,
    wsBaseUrl: origin.replace(/^http/, 'ws'),
    keys: {
      full: { accessKey: 'demo', secretKey: 'demo-secret' },
      partner: { accessKey: 'demo-partner', secretKey: 'demo-partner-secret' },
      sub: { accessKey: 'demo-sub', secretKey: 'demo-sub-secret' },
      bare: { accessKey: 'demo-bare', secretKey: 'demo-bare-secret' },
    },
    inviteToken: 'demo-invite',
    pages: PAGES.map((page) => origin + page),
    documents: DOCUMENTS.map((document) => origin + document),
    control: `${origin}/_control/sandboxes`,
  }
}

/** For people: the line that says where it listens, and the rest under it. */
export function startUpText(origin: string): string {
  const { baseUrl, wsBaseUrl, keys, inviteToken, pages, documents, control } = readyRecord(origin)
  const names = Object.entries(keys).map(
    ([who, { accessKey, secretKey }]) =>
      `${`${accessKey} / ${secretKey}`.padEnd(36)}${MEANINGS[who as keyof typeof keys]}`,
  )
  return [
    `tapewright listening on ${origin}`,
    '',
    `  base_url     ${baseUrl}`,
    `  ws_base_url  ${wsBaseUrl}`,
    ...names.map((line, i) => `  ${i === 0 ? 'keys         ' : '             '}${line}`),
    `  invite       ${inviteToken}`,
    `  pages        ${pages.join('  ')}`,
    `  documents    ${documents.join('  ')}`,
    `  control      ${control}`,
  ].join('\n')
}

const PAGES = ['/swagger', '/asyncapi', '/reference']
const DOCUMENTS = ['/openapi.json', '/asyncapi.json']

const MEANINGS = {
  full: 'everything; a distributor of its own',
  partner: 'the distributor',
  sub: 'a sub key of level basic',
  bare: 'a sub key that may do nothing',
}
