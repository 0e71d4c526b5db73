/**
 * Code blocks of a Markdown page. A comment right before a block sets its execution:
 *
 * - `<!-- not run: reason -->`: not executed
 * - `<!-- once: reason -->`: executed by one shell only
 * - `<!-- file: name -->`: saved under this name, for the blocks after it
 * - `<!-- until: text -->`: endless; stopped after printing this text
 *
 * Blocks between `<!-- calls -->` and `<!-- /calls -->` are generated from the declared calls.
 * Programs of a page with `<!-- run by test/…test.ts -->` are run by that test.
 * An `output` block is the expected output of the block before it; `…` matches any text.
 */
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

export interface CodeBlock {
  /** Page and line, for messages. */
  at: string
  language: string
  text: string
  notRun?: string
  /** The test that runs it instead. */
  runBy?: string
  once?: string
  /** One of the generated calls of the control plane. */
  isCall?: true
  file?: string
  until?: string
  output?: string
}

/** Pages for users and contributors, relative to the project. */
export function pagePaths(): string[] {
  return PAGES.flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: PROJECT_FOLDER, onlyFiles: true }),
  ])
    .filter((page) => !page.includes('node_modules'))
    .sort()
}

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/*.md',
  'recordings/*.md',
  'scenarios/*.md',
  'seed/*.md',
  'examples/**/*.md',
]

/** The blocks of a page in order; an Error for an unknown comment. */
export async function codeBlocks(page: string): Promise<CodeBlock[]> {
  return blocksOf(page, await Bun.file(path.join(PROJECT_FOLDER, page)).text())
}

/** Blocks to run: without excluded ones, and those run elsewhere. */
export const runBlocks = (blocks: readonly CodeBlock[]): CodeBlock[] =>
  blocks.filter(({ notRun, runBy }) => notRun === undefined && runBy === undefined)

const [CALLS, CALLS_END] = ['<!-- calls -->\n', '<!-- /calls -->\n']

const FENCE = /^( *)```(\S*)\n([\s\S]*?)^\1```$/gm

/** The same for a text. */
export function blocksOf(page: string, text: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  const [, runBy] = /^<!-- run by (\S+) -->$/m.exec(text) ?? []
  for (const { 1: indent = '', 2: language = '', 3: code = '', index } of text.matchAll(FENCE)) {
    const before = text.slice(0, index)
    const at = `${page}:${before.split('\n').length}`
    const block = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    if (language !== 'output') {
      blocks.push({
        at,
        language,
        text: block,
        ...(runBy ? { runBy } : {}),
        ...(before.includes(CALLS) && !before.includes(CALLS_END) ? { isCall: true as const } : {}),
        ...noteBefore(before, at),
      })
      continue
    }
    const last = blocks.at(-1)
    if (!last || last.output !== undefined) throw new Error(`${at}: output of what?`)
    last.output = block
  }
  return blocks
}

/** Directive of the comment right before a block. */
function noteBefore(before: string, at: string): Partial<CodeBlock> {
  const [, kind, value = ''] = /<!-- ([\w ]+): (.+?) -->\s*$/.exec(before) ?? []
  if (kind === undefined) return {}
  const field = NOTES[kind]
  if (field === undefined)
    throw new Error(`${at}: a block is "not run", "once", a "file" or "until"`)
  return { [field]: value }
}

const NOTES: Record<string, 'notRun' | 'once' | 'file' | 'until'> = {
  'not run': 'notRun',
  once: 'once',
  file: 'file',
  until: 'until',
}

/** Whether a printed text matches an `output` block. */
export function isShown(shown: string, printed: string): boolean {
  const parts = shown.trim().split('…').map(RegExp.escape)
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`).test(printed.trim())
}
