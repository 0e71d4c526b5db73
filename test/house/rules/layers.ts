import type { Source } from './source-file.ts'

const BASE = ['clock', 'random', 'decimal', 'platform', 'user-error']
const CORE = [
  ...BASE,
  'fields',
  'suggestion',
  'metrics',
  'contract',
  'market',
  'world',
  'tape',
  'scenario',
  'story',
  'replay',
  'sandbox',
]
const DERIVED = ['specs', 'samples', 'conformance', 'client']
const UPPER = [
  ...CORE,
  ...DERIVED,
  'version',
  'pipeline',
  'session',
  'transport',
  'control',
  'console',
  'recorder',
]
const EMBEDDING = [...UPPER, 'commands', 'control-client']
/** What runs in a web page. */
const BROWSER = [...UPPER, 'control-client', 'embedding']

/** What each room of `src` may import, besides itself. A room that is not here is not allowed. */
const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
  clock: BASE,
  random: BASE,
  decimal: BASE,
  platform: BASE,
  'user-error': [],
  suggestion: [],
  version: [],
  metrics: BASE,
  contract: BASE,
  fields: ['user-error', 'contract'],
  market: [...BASE, 'suggestion', 'contract', 'fields'],
  world: [...BASE, 'contract', 'market'],
  tape: [...BASE, 'fields', 'suggestion', 'contract', 'market'],
  replay: [...BASE, 'suggestion', 'contract', 'market', 'tape'],
  recorder: [...BASE, 'contract', 'tape'],
  scenario: [...BASE, 'suggestion', 'contract', 'fields', 'market'],
  story: [...BASE, 'suggestion', 'contract', 'fields', 'market'],
  specs: [...BASE, 'contract'],
  samples: [],
  conformance: [...BASE, 'contract', 'samples'],
  client: [...BASE, 'contract'],
  'control-client': ['version'],
  console: [...BASE, 'contract', 'specs', 'samples', 'client', 'control-client', 'version'],
  sandbox: CORE,
  pipeline: [...CORE, 'session'],
  session: [...CORE, 'pipeline'],
  transport: UPPER,
  control: UPPER,
  browser: BROWSER,
  commands: [...UPPER, 'browser'],
  main: [...UPPER, 'commands', 'embedding'],
  embedding: EMBEDDING,
  launcher: [...BASE, 'main', 'embedding'],
  playwright: ['embedding', 'platform'],
  entries: [...EMBEDDING, 'embedding', 'playwright', 'browser'],
  index: [...EMBEDDING, 'embedding'],
  'index-node': [...EMBEDDING, 'embedding'],
}

/** What each room of `src/market/world` may import of the others, and who may import them follows. */
const WORLD_ROOMS: Record<string, readonly string[]> = {
  schema: [],
  accounting: [],
  formatting: ['accounting'],
  'shown-time': [],
  rows: ['schema', 'accounting', 'formatting', 'shown-time'],
  books: ['formatting', 'rows'],
  exchanges: ['accounting', 'formatting', 'rows', 'books'],
  playback: ['rows', 'books', 'crowd'],
  queries: ['accounting', 'formatting', 'shown-time', 'rows', 'books', 'exchanges'],
  casting: ['schema', 'accounting'],
  crowd: ['schema', 'accounting', 'rows', 'casting'],
  growth: ['schema', 'accounting', 'casting'],
  wasm: [],
}

/** Files beside the rooms of `src/market/world` which stand above them. */
const ABOVE_WORLD_ROOMS = [
  'facts',
  'cast',
  'market-standing',
  'world-file',
  'grown-world',
  'pocket',
]

/** What an operation shows: schemas, and nothing that asks or answers. */
const RECORDS = 'src/contract/records/'
const OF_RECORDS = [
  ...['schema', 'meaning', 'look-back'].map((name) => `src/contract/${name}.ts`),
  RECORDS,
]

/** Imports that go against the layers, each with the file, the import and the rule. */
export function layerFindings(sources: Source[]): string[] {
  return [
    ...sources.flatMap(upwardImports),
    ...mutualFolders(sources, roomOf, 'rooms'),
    ...sources.flatMap(upwardWorldImports),
    ...mutualFolders(sources, queryGroupOf, 'groups of queries'),
    ...sources.flatMap(impureRecords),
  ]
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

/** Two folders that import one another are one folder with a wall through it. */
function mutualFolders(
  sources: Source[],
  folderOf: (path: string) => string,
  plural: string,
): string[] {
  const pairs = new Map<string, string>()
  for (const { path, imports } of sources)
    for (const name of imports)
      if (folderOf(path) !== '' && folderOf(name) !== '')
        pairs.set(`${folderOf(path)} ${folderOf(name)}`, `${path} imports ${name}`)
  return [...pairs].flatMap(([pair, example]) => {
    const [folder = '', other = ''] = pair.split(' ')
    const back = pairs.get(`${other} ${folder}`)
    if (folder >= other || back === undefined) return []
    return [`${example}, but ${back}: of two ${plural} only one may import the other`]
  })
}

function upwardWorldImports({ path, imports }: Source): string[] {
  const room = worldRoomOf(path)
  if (room === '' || path.endsWith('.test.ts')) return []
  const seen = WORLD_ROOMS[room]
  if (seen === undefined)
    return [`${path}: there is no room "${room}" of src/market/world in test/house/rules/layers.ts`]
  return imports.flatMap((name) => {
    const other = worldRoomOf(name)
    const isAbove = ABOVE_WORLD_ROOMS.some((file) => name === `src/market/world/${file}.ts`)
    if (!isAbove && (other === '' || other === room || seen.includes(other))) return []
    const rule = seen.length > 0 ? `only ${seen.join(', ')}` : 'none of the others'
    return [`${path} imports ${name}: of the rooms of src/market/world, ${room} imports ${rule}`]
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

/** `src/market/rows/coins.ts` is in the room `rows`; files beside the rooms are in none. */
function worldRoomOf(path: string): string {
  return /^src\/world\/([^/]+)\//.exec(path)?.[1] ?? ''
}

/** `src/market/queries/coin/…` is in the group `coin`, those of perpdex have groups of their own. */
function queryGroupOf(path: string): string {
  return /^src\/world\/queries\/(perpdex\/[^/]+|[^/]+)\//.exec(path)?.[1] ?? ''
}
