import type { Source } from './source-file.ts'

/** Folders of declarations, and the generated list of each. */
const LISTS: readonly [folder: RegExp, list: string][] = [
  [/^src\/contract\/operations\/(\w+)\//, 'src/contract/operations/$1.ts'],
  [/^src\/contract\/channels\//, 'src/contract/channels.ts'],
  [/^src\/server\/control\/operations\//, 'src/server/control/operations.ts'],
]

/** Declarations that are missing in their module's list. */
export function unlistedFindings(sources: Source[]): string[] {
  return declarations(sources).flatMap((path) => {
    const list = listOf(path) as string
    const listed = sources.find((source) => source.path === list)?.imports ?? []
    if (listed.includes(path)) return []
    return [`${path} is not in ${list}: \`bun run generate\` writes it`]
  })
}

/** Declarations of every module, or of those with a prefix. */
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
