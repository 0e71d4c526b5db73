/** docs/requirements.md: every requirement with the cases that check it. */
import { HAND_WRITTEN_CASES } from './cases.ts'
import { DERIVED_CASES } from './derived.ts'
import { REQUIREMENTS } from './requirements.ts'

/** Maximum number of named cases; of more only the number is given. */
const NAMED = 3

/** Ids of a requirement's cases, handwritten ones first. */
const casesOf = (id: string): string[] =>
  [...HAND_WRITTEN_CASES, ...DERIVED_CASES]
    .filter(({ checks }) => checks.includes(id))
    .map((one) => one.id)

/** The page as Markdown. */
export function requirementsPage(): string {
  const sections = Map.groupBy(REQUIREMENTS, ({ section }) => section)
  const checked = REQUIREMENTS.filter(({ id }) => casesOf(id).length > 0).length
  const parts = [...sections].map(([section, own]) => {
    const rows = own.map(({ id, text }) => `| \`${id}\` | ${cell(text)} | ${shown(casesOf(id))} |`)
    return [`## ${section}`, '', '| id | requirement | cases |', '|---|---|---|', ...rows].join(
      '\n',
    )
  })
  return `${INTRODUCTION.replace('N', `${checked}`).replace('M', `${REQUIREMENTS.length}`)}

${parts.join('\n\n')}
`
}

const INTRODUCTION = `# Requirements

The requirements of the contract, sentence by sentence, in our own words, with the cases of the
[conformance suite](conformance.md) that check them. N of M requirements have a case.

Written by \`bun run generate\`.`

function shown(ids: string[]): string {
  const named = ids.slice(0, NAMED).map((id) => `\`${id}\``)
  const more = ids.length > NAMED ? [`and ${ids.length - NAMED} more`] : []
  return [...named, ...more].join(', ') || 'none yet'
}

const cell = (text: string) => text.replaceAll('|', '\\|')
