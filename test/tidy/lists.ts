import type { Source } from './source.ts'

/** The hand-written lists, with the folders that hold one declaration in each file. */
const LISTS: Record<string, readonly string[]> = {
  'src/contract/index.ts': ['src/contract/operations/', 'src/contract/channels/'],
  'src/control/index.ts': ['src/control/operations/'],
}

/** Declarations that lie in their folder but that the list of their room does not import. */
export function unlistedFindings(sources: Source[]): string[] {
  return Object.keys(LISTS).flatMap((list) => {
    const listed = new Set(sources.find((source) => source.path === list)?.imports)
    return declarations(sources, list)
      .filter((path) => !listed.has(path))
      .map((path) => `${path} is not in ${list}: import it there and add it to the list`)
  })
}

/** The files whose declarations belong into a list. */
export function declarations(sources: Source[], list: string): string[] {
  const folders = LISTS[list] ?? []
  return sources
    .map((source) => source.path)
    .filter((path) => folders.some((folder) => path.startsWith(folder)) && !path.includes('.test.'))
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
