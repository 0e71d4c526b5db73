/** What is printed under the line that says where the server listens: keys and links. */
export function startUpText(origin: string): string {
  const sockets = origin.replace(/^http/, 'ws')
  return [
    '',
    `  base_url     ${origin}`,
    `  ws_base_url  ${sockets}`,
    '  keys         demo / demo-secret                  everything; a distributor of its own',
    '               demo-partner / demo-partner-secret  the distributor',
    '               demo-sub / demo-sub-secret          a sub key of level basic',
    '               demo-bare / demo-bare-secret        a sub key that may do nothing',
    '  invite       demo-invite',
    `  pages        ${origin}/swagger  ${origin}/asyncapi  ${origin}/reference`,
    `  documents    ${origin}/openapi.json  ${origin}/asyncapi.json`,
    `  control      ${origin}/_control/sandboxes`,
  ].join('\n')
}
