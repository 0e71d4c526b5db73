/** The table of docs/client.md: what the client makes of each scenario. */
import path from 'node:path'
import { scenarioLibrary } from '../src/scenario/scenario-library.ts'
import { SURVIVAL } from './client-survival.ts'
import { ROOT } from './install.ts'

/** The page with the table as it is now. */
export function withSurvival(page: string): string {
  const library = scenarioLibrary(path.join(ROOT, 'scenarios'))
  const rows = Object.entries(SURVIVAL).map(
    ([name, made]) =>
      `| [\`${name}\`](../scenarios/${name}.yaml) | ${library(name).title} | ${made} |\n`,
  )
  const head = '| scenario | what happens | what the client makes of it |\n| --- | --- | --- |\n'
  return page.replace(
    /(<!-- survival -->\n)[\s\S]*?(<!-- \/survival -->)/,
    (_, start: string, end: string) => `${start}${head}${rows.join('')}${end}`,
  )
}
