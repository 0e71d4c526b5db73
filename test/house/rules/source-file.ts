import path from 'node:path'
import { Glob } from 'bun'
import { type Expression, type ParseResult, parseSync, Visitor } from 'oxc-parser'
import { blank } from './blanked-source.ts'
import { type FunctionLength, functionsOf } from './function-length.ts'

/** A source file as seen by the house rules. */
export interface Source {
  /** From the root of the repository, with forward slashes: `src/clock/system-clock.ts`. */
  path: string
  text: string
  /** The text without comments and contents of strings; line numbers are kept. */
  code: string
  /** Imports, including types: relative ones as a path from the root, others as written. */
  imports: string[]
  functions: FunctionLength[]
}

export const ROOT = path.join(import.meta.dir, '..', '..', '..')

/** Every TypeScript file of the given folders. */
export async function readSources(folders: string[]): Promise<Source[]> {
  const glob = new Glob(`{${folders.join(',')}}/**/*.{ts,tsx}`)
  const paths = await Array.fromAsync(glob.scan({ cwd: ROOT }))
  const sorted = paths.map((found) => found.replaceAll('\\', '/')).sort()
  return Promise.all(
    sorted.map(async (found) => source(found, await Bun.file(path.join(ROOT, found)).text())),
  )
}

/** A source from its text, as in the rules' own tests. */
export function source(at: string, text: string): Source {
  const parsed = parseSync(at, text)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${at} cannot be read: ${error.message}`)
  const code = blank(text, parsed)
  const functions = functionsOf(code, parsed.program)
  return { path: at, text, code, functions, ...importsOf(at, parsed) }
}

function importsOf(at: string, { program }: ParseResult): Pick<Source, 'imports'> {
  const names = new Set<string>()
  const add = (name: Expression | null | undefined) => {
    if (name?.type === 'Literal' && typeof name.value === 'string') names.add(name.value)
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type === 'Identifier' && callee.name === 'require') add(first as Expression)
    },
  }).visit(program)
  const place = (name: string) =>
    name.startsWith('.') ? path.posix.join(path.posix.dirname(at), name) : name
  return { imports: [...names].map(place) }
}

/** `src/a.ts:12` for an index in a source's text. */
export function locationOf(of: Source, index: number): string {
  return `${of.path}:${of.text.slice(0, index).split('\n').length}`
}
