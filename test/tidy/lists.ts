import type { Source } from './source.ts'

const LIST = 'src/contract/index.ts'
const FOLDERS = ['src/contract/operations/', 'src/contract/channels/']

/** Declarations that lie in their folder but are not in the list of `contract/index.ts`. */
export function unlistedFindings(sources: Source[]): string[] {
  const listed = new Set(sources.find((source) => source.path === LIST)?.imports)
  return declarations(sources)
    .filter((path) => !listed.has(path))
    .map((path) => `${path} is not in ${LIST}: import it there and add it to the list`)
}

/** The files that declare one operation or one channel each. */
export function declarations(sources: Source[]): string[] {
  return sources
    .map((source) => source.path)
    .filter((path) => FOLDERS.some((folder) => path.startsWith(folder)) && !path.includes('.test.'))
}

/** `perpdex.fillsOfAddress` is declared in `src/contract/operations/perpdex/fills-of-address.ts`. */
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
