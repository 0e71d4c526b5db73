import { locationOf, type Source } from './source-file.ts'

const LINES_MAX = 500
const COLUMNS_MAX = 100
/** Tests are read from top to bottom and may be long. */
const FUNCTION_LINES_MAX = 70
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/
const FOLDER = /^[a-z0-9]+(-[a-z0-9]+)*$/
const BANNED_FILE_NAMES = /^(utils?|helpers?|common|misc|shared)$/

/** Files that may be longer, with reasons. */
const LONGER_FILES: Record<string, string> = {
  'src/clients/service/contract/channels.ts': 'generated: what every channel pushes',
  'src/clients/service/contract/futures.ts': 'generated: a method for each operation of the group',
  'src/clients/service/contract/info.ts': 'generated: what every type of info takes and answers',
  'src/clients/service/contract/perpdex.ts': 'generated: a method for each operation of the group',
  'src/clients/service/contract/records.ts': 'generated: the records of all answers',
  'src/clients/control/call-types.ts': 'generated: one interface with every call',
  'src/clients/control/records.ts': 'generated: the shapes of those calls',
}

/** Checks names, and lengths of files, functions and lines. */
export function formFindings(sources: Source[], longer = LONGER_FILES): string[] {
  return sources.flatMap((source) => [
    ...nameFindings(source),
    ...sizeFindings(source, longer),
    ...functionFindings(source),
    ...lineFindings(source),
  ])
}

function nameFindings({ path }: Source): string[] {
  const parts = path.split('/')
  const file = parts.pop() ?? ''
  const words = [...parts, file.replace(/(\.test)?\.tsx?$/, '')]
  return [
    ...(NAME.test(file) && parts.every((part) => FOLDER.test(part))
      ? []
      : [`${path}: files and folders are named in kebab-case`]),
    ...words
      .filter((word) => BANNED_FILE_NAMES.test(word))
      .map((word) => `${path}: "${word}" says nothing, name it after what is in it`),
  ]
}

function sizeFindings({ path, text }: Source, longer: Record<string, string>): string[] {
  const count = text.trimEnd().split('\n').length
  if (count <= LINES_MAX || longer[path] !== undefined) return []
  return [`${path} has ${count} lines: ${LINES_MAX} at most, find the second noun in it`]
}

function functionFindings(source: Source): string[] {
  if (/^test\/|\.test\.tsx?$/.test(source.path)) return []
  return source.functions
    .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
    .map(
      ({ start, lines }) =>
        `${locationOf(source, start)}: a function of ${lines} lines, ${FUNCTION_LINES_MAX} at most`,
    )
}

function lineFindings({ path, text }: Source): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line].length > COLUMNS_MAX
        ? [`${path}:${index + 1} has ${[...line].length} letters: ${COLUMNS_MAX} at most`]
        : [],
    )
}
