/**
 * The lists of declarations, generated from their folders. A file of the contract is one entry, a
 * file of the control plane has every call of a resource.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A generated list. */
interface List {
  /** The factory called by a declaration. */
  factory: 'operation' | 'channel' | 'controlOperation'
  /** Body of the list's file, without imports. */
  body(entries: readonly Entry[]): string
  imports: string
}

interface Entry {
  /** `fillsOfAddress`, for `fills-of-address.ts`. */
  name: string
  /** Exported name in the file. */
  exported: string
  /** As declared, `journal.read`. */
  id: string
  file: string
}

/** Every generated list, by its path from the root of the repository. */
export function declarationLists(root: string): ReadonlyMap<string, string> {
  const groups = foldersIn(root, 'src/contract/operations')
  return new Map([
    ...groups.map((group): [string, string] => [
      `src/contract/operations/${group}.ts`,
      text(root, `src/contract/operations/${group}`, groupList(group)),
    ]),
    ['src/contract/operations.ts', allGroups(groups)],
    ['src/contract/channels.ts', text(root, 'src/contract/channels', CHANNEL_LIST)],
    ['src/server/control/operations.ts', text(root, 'src/server/control/operations', CONTROL_LIST)],
  ])
}

const HEADER = (what: string) => `/** ${what}. Written by \`bun run generate\` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
`

const groupList = (group: string): List => ({
  factory: 'operation',
  imports: "import type { Operation } from '../operation.ts'",
  body: (entries) =>
    `export const ${constant(group)} = ${record(entries)} satisfies Record<string, Operation>`,
})

const CHANNEL_LIST: List = {
  factory: 'channel',
  imports: "import type { Channel } from './channel.ts'",
  body: (entries) => `export const STREAMS = ${record(entries)} satisfies Record<string, Channel>`,
}

const CONTROL_LIST: List = {
  factory: 'controlOperation',
  imports: "import type { ControlOperation } from './control-operation.ts'",
  body: (entries) =>
    `export const CONTROL_OPERATIONS: readonly ControlOperation[] = [\n${lines(
      entries
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .map(({ exported }) => exported),
    )}]`,
}

function text(root: string, folder: string, { factory, imports, body }: List): string {
  const entries = filesIn(root, folder).flatMap((file) => entriesOf(root, folder, file, factory))
  const from = [...Map.groupBy(entries, ({ file }) => file)].map(([file, declared]) =>
    importOf(
      declared.map(({ exported }) => exported),
      `./${path.basename(folder)}/${file}`,
    ),
  )
  const title = `Every declaration in ${path.basename(folder)}/`
  return `${HEADER(title)}${[imports, ...from].join('\n')}\n\n${body(entries)}\n`
}

function allGroups(groups: readonly string[]): string {
  const from = groups.map(
    (group) => `import { ${constant(group)} } from './operations/${group}.ts'`,
  )
  const entries = groups.map((group) => `${group}: ${constant(group)}`)
  return `${HEADER('Every operation by group and name')}${from.join('\n')}

export const CONTRACT = {
${lines(entries)}}
`
}

/** Declarations of a file: one, or in the control plane every call of a resource. */
function entriesOf(root: string, folder: string, file: string, factory: string): Entry[] {
  const source = readFileSync(path.join(root, folder, file), 'utf8')
  const pattern = new RegExp(`^export const (\\w+) = ${factory}\\(\\{\\n  id: '([\\w.]+)'`, 'gm')
  const found = [...source.matchAll(pattern)]
  if (found.length === 0)
    throw new Error(`${folder}/${file} exports no ${factory}: export const x = ${factory}({ … })`)
  if (found.length !== source.split(`= ${factory}(`).length - 1)
    throw new Error(`${folder}/${file}: every ${factory} is exported and begins with its id`)
  const name = camel(file.replace(/\.ts$/, ''))
  return found.map(([, exported = '', id = '']) => ({ name, exported, id, file }))
}

/** An import in the formatter's order and lines. */
function importOf(names: readonly string[], file: string): string {
  const line = `import { ${names.toSorted().join(', ')} } from '${file}'`
  return line.length <= 100 ? line : `import {\n${lines(names.toSorted())}} from '${file}'`
}

const record = (entries: readonly Entry[]): string =>
  `{\n${lines(
    entries.map(({ name, exported }) => (name === exported ? name : `${name}: ${exported}`)),
  )}}`

const lines = (entries: readonly string[]) => entries.map((one) => `  ${one},\n`).join('')

const constant = (group: string) => group.replaceAll('-', '_').toUpperCase()

const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const filesIn = (root: string, folder: string): string[] =>
  [...new Bun.Glob('*.ts').scanSync(path.join(root, folder))]
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()

const foldersIn = (root: string, folder: string): string[] =>
  [
    ...new Set([...new Bun.Glob('*/*.ts').scanSync(path.join(root, folder))].map(path.dirname)),
  ].sort()
