import type { Source } from './source-file.ts'

export const LEAVES = ['clock', 'decimal', 'platform', 'random']

/** Allowed imports of each module of `src`, besides itself. A module must be listed. */
export const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
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

/** Schemas of an operation, without logic. */
const RECORDS = 'src/contract/records/'
const OF_RECORDS = [
  ...['schema', 'meaning', 'look-back'].map((name) => `src/contract/${name}.ts`),
  RECORDS,
]

/** Imports that violate the layers, each with the file, the import and the rule. */
export function layerFindings(sources: Source[]): string[] {
  return [...sources.flatMap(upwardImports), ...sources.flatMap(impureRecords)]
}

function upwardImports({ path, imports }: Source): string[] {
  const area = areaOf(path)
  const seen = ALLOWED_IMPORTS[area]
  if (seen === undefined)
    return [`${path}: there is no area "${area}" in test/house/rules/layers.ts`]
  return imports.flatMap((name) => {
    const other = areaOf(name)
    if (other === '' || other === area || seen.includes(other)) return []
    const rule = seen.length > 0 ? `imports only ${seen.join(', ')}` : 'imports nothing of ours'
    return [`${path} imports ${name}: ${area} ${rule}`]
  })
}

function impureRecords({ path, imports }: Source): string[] {
  if (!path.startsWith(RECORDS)) return []
  return imports
    .filter((name) => !OF_RECORDS.some((allowed) => name.startsWith(allowed)))
    .map((name) => `${path} imports ${name}: records are schemas, what uses them stands elsewhere`)
}

/** `src/clock/instant.ts` is in the area `clock`, `src/main.ts` in `main`, a package in none. */
function areaOf(path: string): string {
  const [top, area = ''] = path.split('/')
  return top === 'src' ? area.replace(/\.ts$/, '') : ''
}
