/** docs/requirements.md: every requirement with the cases that check it. */
import { HAND_WRITTEN } from './cases.ts'
import type { Respect } from './requirements/requirement.ts'
import { REQUIREMENTS } from './requirements.ts'

/** The page as Markdown. */
export function requirementsPage(): string {
  const sections = [...Map.groupBy(REQUIREMENTS, ({ section }) => section)]
  const tables = sections.map(([section, of]) =>
    [`## ${section}`, '', HEAD, ...of.map(row), ''].join('\n'),
  )
  return [INTRODUCTION, ...tables].join('\n')
}

const INTRODUCTION = `# Requirements

What the contract requires, sentence by sentence and in our own words, and what checks it. This page
is written by \`bun run reference\` from \`src/conformance/requirements/\`.

A case written by hand is named by its id, and stands in \`src/conformance/cases/\`. The others come
from the declarations of operations and channels: *answers* asks every example and looks at status,
envelope and schema, *access* tries who may call, *limits* what is left out, at the most and above,
*values* each value of a fixed set, *required* each parameter that cannot be left out.
`

const HEAD = '| id | what must hold | checked by |\n|---|---|---|'

function row({ id, text, derived }: (typeof REQUIREMENTS)[number]): string {
  const named = HAND_WRITTEN.filter(({ checks }) => checks.includes(id)).map((one) => one.id)
  const by = [
    ...named.map((name) => `\`${name}\``),
    ...(derived ? [`*${WORDS[derived.respect]}* of ${derived.of.join(', ')}`] : []),
  ]
  return `| \`${id}\` | ${text} | ${by.join(', ')} |`
}

const WORDS: Record<Respect, string> = {
  answer: 'answers',
  access: 'access',
  limits: 'limits',
  values: 'values',
  required: 'required',
}
