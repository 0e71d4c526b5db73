/** What had to be assumed, in words: a plain sentence, or an open question with its answers. */
import type { Question } from '../contract/questions/question.ts'
import { QUESTIONS } from '../contract/questions.ts'

/** Markdown of what a declaration assumes; empty for nothing. */
export function assumptions(assumed: readonly string[]): string {
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
