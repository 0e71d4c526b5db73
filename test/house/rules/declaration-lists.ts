import type { Source } from './source-file.ts'

/** The folders that hold declarations, and the list of each, which is generated. */
const LISTS: readonly [folder: RegExp, list: string][] = [
  [/^src\/contract\/operations\/(\w+)\//, 'src/contract/operations/$1.ts'],
  [/^src\/contract\/channels\//, 'src/contract/channels.ts'],
  [/^src\/server\/control\/operations\//, 'src/server/control/operations.ts'],
]

/** Declarations that lie in their folder but that the list of their room does not import. */
export function unlistedFindings(sources: Source[]): string[] {
  return declarations(sources).flatMap((path) => {
    const list = listOf(path) as string
    const listed = sources.find((source) => source.path === list)?.imports ?? []
    if (listed.includes(path)) return []
    return [`${path} is not in ${list}: \`bun run generate\` writes it`]
  })
}

/** The files that are declarations, of every room or of one that begins so. */
export function declarations(sources: Source[], room = 'src/'): string[] {
  return sources
    .map((source) => source.path)
    .filter((path) => path.startsWith(room) && !path.includes('.test.') && listOf(path) !== null)
}

function listOf(path: string): string | null {
  const found = LISTS.find(([folder]) => folder.test(path))
  if (!found) return null
  const [folder, list] = found
  return list.replace('$1', folder.exec(path)?.[1] ?? '')
}

/**
 * `perpdex.fillsOfAddress` is declared in `src/contract/operations/perpdex/fills-of-address.ts`.
 */
export function operationFile(id: string): string {
  const [group = '', operation = ''] = id.split('.')
  return `src/contract/operations/${group}/${kebab(operation)}.ts`
}

/** `l2Book` is declared in `src/contract/channels/l2-book.ts`. */
export function channelFile(id: string): string {
  return `src/contract/channels/${kebab(id)}.ts`
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
