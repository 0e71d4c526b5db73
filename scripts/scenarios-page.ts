/** The tables of docs/scenarios.md and docs/market-events.md, generated from declarations. */
import path from 'node:path'
import type { TSchema } from '../src/contract/schema.ts'
import type { EventKind } from '../src/market/events/event-kind.ts'
import { EVENT_KINDS } from '../src/market/events/market-event.ts'
import { MAGIC_VALUES, magicAddress, magicCoin } from '../src/sandbox/fault-injection.ts'
import { FAULTS } from '../src/sandbox/scenario/faults.ts'
import { scenarioLibrary, scenarioNames } from '../src/sandbox/scenario/scenario-library.ts'

const FOLDER = path.join(import.meta.dir, '../scenarios')

/** A page with the present text between its marks. */
export function withTables(page: string): string {
  const own = Object.entries(TABLES).filter(([mark]) => page.includes(`<!-- ${mark} -->`))
  return own.reduce((text, [mark, table]) => {
    const [before, , after] = text.split(new RegExp(`<!-- /?${mark} -->\\n`))
    if (after === undefined) throw new Error(`the page has no place for ${mark}`)
    return `${before}<!-- ${mark} -->\n${table()}\n<!-- /${mark} -->\n${after}`
  }, page)
}

const TABLES: Record<string, () => string> = {
  library: () =>
    rows(
      ['scenario', 'what happens'],
      scenarioNames(FOLDER).map((name) => {
        const { title, guidance = '' } = scenarioLibrary(FOLDER)(name)
        return [`[\`${name}\`](../scenarios/${name}.yaml)`, `${title}. *${guidance.trim()}*`]
      }),
    ),
  faults: () =>
    rows(
      ['fault', 'settings', 'what it does'],
      [...FAULTS.values()].map(({ name, settings, about }) => [
        `\`${name}\``,
        Object.keys(settings.properties)
          .map((one) => `\`${one}\``)
          .join(' '),
        about,
      ]),
    ),
  events: () =>
    rows(
      ['kind', 'what the market does', 'fields'],
      EVENT_KINDS.map((kind) => [`\`${kind.kind}\``, kind.about, fieldTexts(kind)]),
    ),
  magic: () =>
    rows(
      ['coin', 'address', 'what happens'],
      MAGIC_VALUES.map(({ code, means }) => [
        `\`${magicCoin(code)}\``,
        short(magicAddress(code)),
        means,
      ]),
    ),
}

const boundsOf = ({ minimum, exclusiveMinimum, maximum }: TSchema): string =>
  minimum === undefined && exclusiveMinimum === undefined
    ? ''
    : `, ${exclusiveMinimum === undefined ? minimum : `above ${exclusiveMinimum}`} to ${maximum}`

/** The fields of a kind with their bounds; optional ones are in brackets. */
function fieldTexts({ fields }: EventKind): string {
  const needed: readonly string[] = fields.required ?? []
  return Object.entries(fields.properties as Record<string, TSchema>)
    .map(([name, field]) => {
      const shown = needed.includes(name) ? `\`${name}\`` : `[\`${name}\`]`
      return `${shown} ${field.description}${boundsOf(field)}`
    })
    .join('<br>')
}

const short = (address: string) => `\`${address.slice(0, 8)}…0${address.slice(-4)}\``

function rows(head: string[], lines: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}
