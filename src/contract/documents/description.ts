/** What documents say about an operation or a channel in prose, as Markdown. */
import type { Access } from '../access.ts'
import type { Question } from '../questions/question.ts'
import { QUESTIONS } from '../questions.ts'

/** What every declaration has that prose is made of. */
interface Described {
  about?: string
  source: string
  access: Access
  assumed: readonly string[]
  /** Further paths of an operation. */
  aliases?: readonly string[]
}

/** Paragraphs: what it does, who may call it, other paths, its source, assumptions. */
export function description(declaration: Described): string {
  return [
    declaration.about,
    accessText(declaration.access),
    declaration.aliases?.length
      ? `Also under ${declaration.aliases.map(code).join(', ')}.`
      : undefined,
    `Contract: ${declaration.source}.`,
    assumptions(declaration.assumed),
  ]
    .filter((part) => part)
    .join('\n\n')
}

/** Who may call it, in a sentence. */
export function accessText(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'Public: no signature.'
    case 'signed':
      return 'Any valid signature.'
    case 'distributor':
      return "A distributor's primary key."
    case 'permission':
      return `Permission ${code(access.name)}.`
  }
}

const code = (text: string): string => `\`${text}\``

// What had to be assumed, in words: a plain sentence, or an open question with its answers.

/** Markdown of what a declaration assumes; empty for nothing. */
function assumptions(assumed: readonly string[]): string {
  if (assumed.length === 0) return ''
  return ['Assumed here:', '', ...assumed.map((one) => `- ${inWords(one)}`)].join('\n')
}

function inWords(assumed: string): string {
  const question = (QUESTIONS as Record<string, Question>)[assumed]
  if (!question) return assumed
  const others = Object.entries(question.answers).filter(([id]) => id !== question.chosen)
  const switches = others.map(([id, means]) => `\`${id}\`: ${means}`).join(' ')
  const answer = question.answers[question.chosen] ?? ''
  return `${question.question} ${answer} (question \`${assumed}\`; else ${switches})`
}
