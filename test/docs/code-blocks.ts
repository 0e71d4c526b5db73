/**
 * The code blocks of a Markdown page. A comment right before a block says how it is run:
 *
 * - `<!-- not run: reason -->`: it is not
 * - `<!-- once: reason -->`: by one shell only
 * - `<!-- file: name -->`: it is saved under this name, for the blocks after it
 * - `<!-- until: text -->`: it never ends by itself; this is what it must have printed
 *
 * A page with `<!-- run by test/…test.ts -->` is that test's, which runs its programs itself.
 * A block `output` is what the block before it prints, where `…` stands for anything.
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
  file?: string
  until?: string
  output?: string
}

/** Pages that users and contributors read, from the project's folder. */
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

/** The blocks of a page in their order; an Error for a comment that is not understood. */
export async function codeBlocks(page: string): Promise<CodeBlock[]> {
  return blocksOf(page, await Bun.file(path.join(PROJECT_FOLDER, page)).text())
}

/** Without those of which a page says why they are not run, or where. */
export const runBlocks = (blocks: readonly CodeBlock[]): CodeBlock[] =>
  blocks.filter(({ notRun, runBy }) => notRun === undefined && runBy === undefined)

const FENCE = /^( *)```(\S*)\n([\s\S]*?)^\1```$/gm

/** The same of a text. */
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

/** What the comment says that ends right before a block. */
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

/** Whether a text is what an `output` block shows. */
export function isShown(shown: string, printed: string): boolean {
  const parts = shown.trim().split('…').map(RegExp.escape)
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`).test(printed.trim())
}
