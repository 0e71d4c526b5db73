/** A failure as every report tells it. */
import type { Said } from '../conversation.ts'
import type { Report } from '../report.ts'
import type { Result } from '../runner.ts'
import { conversationText, evidenceText } from './evidence-text.ts'
import { onlyCommand, shellCommand } from './shell-commands.ts'

export interface Failure {
  id: string
  title: string
  /** What the contract requires: id and sentence. */
  expected: { id: string; text: string }[]
  found: string
  /** Empty where the message says it all. */
  evidence: string
  conversation: { text: string; again: string; isLatest: boolean }[]
  /** The case alone. */
  again: string
}

/** What a reader needs to see that a case fails and to see it again. */
export function failureOf({ requirements, command }: Report, result: Result): Failure {
  const { id, title, checks, message, evidence, conversation } = result
  return {
    id,
    title,
    expected: requirements.filter((one) => checks.includes(one.id)),
    found: message,
    evidence: evidenceText(evidence),
    conversation: conversation.map((said) => ({
      text: conversationText(said),
      again: shellCommand(said),
      isLatest: said === latestOf(conversation),
    })),
    again: onlyCommand(command, id),
  }
}

/** Where something was said last: a socket is opened long before what fails there. */
export function latestOf(conversation: readonly Said[]): Said | undefined {
  const times = conversation.map((said) => {
    const frames = said.kind === 'socket' ? said.frames : []
    return Math.max(said.afterMs, said.answer?.afterMs ?? 0, frames.at(-1)?.afterMs ?? 0)
  })
  return conversation[times.lastIndexOf(Math.max(...times))]
}

/** The failures of a report. */
export const failuresOf = (report: Report): Failure[] =>
  report.results
    .filter(({ verdict }) => verdict === 'failed')
    .map((result) => failureOf(report, result))

/** A failure as plain text. */
export function failureText({ expected, found, evidence, conversation, again }: Failure): string {
  const parts = [
    ...expected.map(({ id, text }) => `Expected: ${text} [${id}]`),
    `Failed: ${found}`,
    ...(evidence === '' ? [] : [evidence]),
    ...conversation.map((said) => `${said.text}\n\n${said.again}`),
    again,
  ]
  return parts.join('\n\n')
}
