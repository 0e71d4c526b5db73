import type { Source } from './source-file.ts'

const LEAVES = ['clock', 'decimal', 'platform', 'random']

/** What each room of `src` may import, besides itself. A room that is not here is not allowed. */
const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
  platform: [],
  random: ['platform'],
  decimal: ['platform'],
  clock: ['platform'],
  contract: LEAVES,
  market: [...LEAVES, 'contract'],
  tape: [...LEAVES, 'contract', 'market'],
  sandbox: [...LEAVES, 'contract', 'market', 'tape'],
  conformance: [...LEAVES, 'contract'],
  clients: [...LEAVES, 'contract'],
  pages: [...LEAVES, 'contract', 'clients', 'conformance'],
  server: [...LEAVES, 'contract', 'market', 'tape', 'sandbox', 'clients', 'conformance', 'pages'],
  entries: [...LEAVES, 'contract', 'clients', 'conformance', 'server'],
  main: ['platform', 'server'],
  launcher: [...LEAVES, 'main', 'server'],
  index: ['platform', 'server'],
  'index-node': ['platform', 'server'],
}

/** What an operation shows: schemas, and nothing that asks or answers. */
const RECORDS = 'src/contract/records/'
const OF_RECORDS = [
  ...['schema', 'meaning', 'look-back'].map((name) => `src/contract/${name}.ts`),
  RECORDS,
]

/** Imports that go against the layers, each with the file, the import and the rule. */
export function layerFindings(sources: Source[]): string[] {
  return [...sources.flatMap(upwardImports), ...sources.flatMap(impureRecords)]
}

function upwardImports({ path, imports }: Source): string[] {
  const room = roomOf(path)
  const seen = ALLOWED_IMPORTS[room]
  if (seen === undefined)
    return [`${path}: there is no room "${room}" in test/house/rules/layers.ts`]
  return imports.flatMap((name) => {
    const other = roomOf(name)
    if (other === '' || other === room || seen.includes(other)) return []
    const rule = seen.length > 0 ? `imports only ${seen.join(', ')}` : 'imports nothing of ours'
    return [`${path} imports ${name}: ${room} ${rule}`]
  })
}

function impureRecords({ path, imports }: Source): string[] {
  if (!path.startsWith(RECORDS)) return []
  return imports
    .filter((name) => !OF_RECORDS.some((allowed) => name.startsWith(allowed)))
    .map((name) => `${path} imports ${name}: records are schemas, what uses them stands elsewhere`)
}

/** `src/clock/calendar.ts` is in the room `clock`, `src/main.ts` in `main`, a package in none. */
function roomOf(path: string): string {
  const [top, room = ''] = path.split('/')
  return top === 'src' ? room.replace(/\.ts$/, '') : ''
}
