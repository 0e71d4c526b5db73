/** Reads data from YAML text, and writes it; errors name file and line. */
import type { Document, LineCounter, Pair } from 'yaml'
import { UserError } from '../../platform/user-error.ts'
import { type FieldPath, flawsIn, flawText } from './field-check.ts'

// Loaded on demand: most servers read no file, and all should start at once.
const loadYaml = (): typeof import('yaml') => require('yaml')

/** A text with its file, and the name of the whole in messages, such as `the scenario`. */
export interface YamlText {
  file: string
  text: string
  whole: string
}

/** The place of a field: `mine.yaml:4`. */
export type FieldPlace = (path: FieldPath) => string

/** Parses the data with `read`; its flaws become a UserError with file and line, one a line. */
export function readYaml<T>(
  { file, text, whole }: YamlText,
  read: (data: unknown, place: FieldPlace) => T,
): T {
  const { LineCounter } = loadYaml()
  const lines = new LineCounter()
  const document = parsed(text, file, lines)
  const [error] = document.errors
  const repeatedAt = error ? null : repeatedKeyAt(document.contents)
  if (error || repeatedAt !== null) {
    const [first = ''] = (error?.message ?? 'Map keys must be unique').split('\n')
    const { line } = lines.linePos(error?.pos[0] ?? (repeatedAt as number))
    throw new UserError(`${file}:${line}: ${first.replace(/ at line.*/, '')}`)
  }
  const place: FieldPlace = (path) =>
    `${file}:${lines.linePos(offsetOf(document.contents, path)).line}`
  try {
    return read(dataOf(document, file), place)
  } catch (error) {
    const lines = flawsIn(error).map((flaw) => `${place(flaw.path)}: ${flawText(flaw, whole)}`)
    throw new UserError(lines.join('\n'))
  }
}

/** The data as YAML, a line for each field. */
export const writeYaml = (data: unknown): string => loadYaml().stringify(data, { lineWidth: 100 })

function parsed(text: string, file: string, lineCounter: LineCounter): Document {
  if (text.length > FILE_LENGTH_MAX)
    throw new UserError(`${file}: it has ${text.length} characters, at most ${FILE_LENGTH_MAX}`)
  try {
    // The parser compares each key of a map with all others: repeated keys are found here.
    return loadYaml().parseDocument(text, { lineCounter, uniqueKeys: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw tooDeep(file)
  }
}

/** Maximum length of a parsed file. */
const FILE_LENGTH_MAX = 4_000_000

const tooDeep = (file: string) => new UserError(`${file}: it is nested too deep`)

/** Offset of the first repeated key of a map; null for none. */
function repeatedKeyAt(contents: unknown): number | null {
  const { isMap, isPair, isScalar } = loadYaml()
  const open: unknown[] = [contents]
  while (open.length > 0) {
    const node = open.pop()
    if (isPair(node)) open.push(node.value)
    const { items = [] } = (node ?? {}) as { items?: unknown[] }
    const known = new Set<unknown>()
    for (const one of items) {
      open.push(one)
      const key = isMap(node) && isPair(one) ? (one.key as Node & { value: unknown }) : null
      if (key === null || !isScalar(key)) continue
      if (known.has(key.value)) return key.range?.[0] ?? 0
      known.add(key.value)
    }
  }
  return null
}

/** The data; a UserError for aliases of aliases that expand to more than a file should. */
function dataOf(document: Document, file: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file)
    if (!(error instanceof ReferenceError)) throw error
    throw new UserError(`${file}: its aliases cannot be resolved: ${error.message}`)
  }
}

/** Offset of a field in the text; of the nearest field around it when it is missing. */
function offsetOf(contents: unknown, path: FieldPath): number {
  const { isMap, isScalar } = loadYaml()
  let [node, offset] = [contents as Node | null, 0]
  for (const part of path) {
    offset = node?.range?.[0] ?? offset
    if (!node) break
    const pair = isMap(node)
      ? (node.items as Pair<unknown, unknown>[]).find(
          ({ key }) => isScalar(key) && String(key.value) === String(part),
        )
      : undefined
    const keyAt = (pair?.key as Node | undefined)?.range?.[0]
    if (keyAt !== undefined) offset = keyAt
    node = (pair ? pair.value : (node.items?.[Number(part)] ?? null)) as Node | null
    if (!pair) offset = node?.range?.[0] ?? offset
  }
  return offset
}

interface Node {
  range?: [number, number, number]
  items?: unknown[]
}
