/** The table of docs/client.md: the client's behaviour for each sentence of each scenario. */
import path from 'node:path'
import { scenarioLibrary } from '../src/sandbox/scenario/scenario-library.ts'
import { SURVIVAL } from './client-survival.ts'
import { ROOT } from './install.ts'
import type { Survived } from './survival/survived.ts'

/** The page with its present table. */
export function withSurvival(page: string): string {
  const table: Record<string, Record<string, Survived>> = SURVIVAL
  const names = Object.keys(table).sort()
  const rows = names.flatMap((name) => Object.values(table[name] ?? {}).map(rowOf(name)))
  return page.replace(
    /(<!-- survival -->\n)[\s\S]*?(<!-- \/survival -->)/,
    (_, start: string, end: string) => `${start}${HEAD}${rows.join('')}${end}`,
  )
}

const HEAD =
  '| scenario | what happens, and what a client must cope with | what the client makes of it |\n' +
  '| --- | --- | --- |\n'

const library = scenarioLibrary(path.join(ROOT, 'scenarios'))

/** The first row of a scenario contains its name. */
const rowOf =
  (name: string) =>
  ({ says, made }: Survived, at: number): string => {
    const link = at === 0 ? `[\`${name}\`](../scenarios/${name}.yaml)` : ''
    const title = at === 0 ? `${library(name).title}. ` : ''
    return `| ${link} | ${title}*${says}* | ${made} |\n`
  }
