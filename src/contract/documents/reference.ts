/** The reference of all operations and channels, from the contract's lists and nothing else. */

import { CHANNELS, OPERATIONS } from '../catalogue.ts'
import type { Channel } from '../channel.ts'
import type { Dialect } from '../dialect.ts'
import { A, B, C, wrap } from '../envelope.ts'
import { PREFIXES } from '../prefixes.ts'
import type { Question } from '../questions/question.ts'
import { QUESTIONS } from '../questions.ts'
import { description } from './description.ts'
import { fieldTable } from './field-table.ts'
import { groupOf, groupTag } from './groups.ts'
import { INTRODUCTION, SIGNATURE } from './introduction.ts'
import { block, code, paragraphs, table } from './markdown.ts'
import { operationPage } from './operation-page.ts'
import { withPushPolicy } from './push-policy.ts'
import { type Frame, framesOf } from './socket-frames.ts'

/** Markdown; `docs/reference.md` holds it. */
export function reference(): string {
  const groups = Map.groupBy(OPERATIONS, groupOf)
  const text = paragraphs(
    '# Reference',
    '<!-- Written by `bun run generate` from src/contract. Changes belong there. -->',
    conventions(),
    ...[...groups].flatMap(([group, operations]) => [
      `## ${group}`,
      groupTag(group).description,
      ...operations.map(operationPage),
    ]),
    sockets(),
    '## Open questions',
    questions(),
  )
  return `${text}\n`
}

/** Markdown of what holds for all operations. */
export function conventions(): string {
  return paragraphs(
    INTRODUCTION,
    `Paths are relative to ${code(PREFIXES[0])}. A field with a question mark may be absent.`,
    table(
      ['signature', ''],
      Object.entries(SIGNATURE).map(([name, what]) => [code(name), what]),
    ),
    envelopes(),
  )
}

/** Markdown of the open questions, each with a heading of the third level. */
export function questions(): string {
  return paragraphs(
    'What the contract leaves open, our answer, and the other answers that a sandbox can have: ' +
      code('questions: {"nonce-reuse": "reject"}') +
      '.',
    ...Object.entries(QUESTIONS).map(([id, question]) => questionPage(id, question)),
  )
}

/** Markdown of the socket paths and their channels. */
export function sockets(): string {
  const byDialect = Map.groupBy(CHANNELS, ({ dialect }) => dialect)
  return paragraphs(
    '## Sockets',
    ...[...byDialect].map(([dialect, channels]) => socketPage(dialect, channels)),
  )
}

function envelopes(): string {
  const rows = [
    ['A', code(wrap(A, '…'))],
    ['B', code(wrap(B(), '…'))],
    ['C', code(wrap(C(), '…'))],
  ]
  return table(['envelope', ''], rows)
}

function questionPage(id: string, { question, source, chosen, why, answers }: Question): string {
  const rows = Object.entries(answers).map(([answer, means]) => [
    code(answer),
    means,
    answer === chosen ? `our answer: ${why}` : '',
  ])
  return paragraphs(
    `### ${code(id)}`,
    question,
    `Contract: ${source}.`,
    table(['answer', 'means', ''], rows),
  )
}

// A socket path with its channels in the reference.

/** Markdown with a heading of the third level, and one of the fourth for each channel. */
function socketPage(dialect: Dialect, channels: readonly Channel[]): string {
  const frames = framesOf(dialect, channels).filter(isOneOfItsKind)
  return paragraphs(
    `### ${code(dialect.path)}`,
    'A client sends:',
    shown(frames, 'client'),
    'and receives, besides what is pushed:',
    shown(frames, 'service'),
    ...channels.map(channelPage),
  )
}

/** Of frames that differ only in their channel the first is enough. */
function isOneOfItsKind(frame: Frame, _: number, all: Frame[]): boolean {
  const first = all.find(
    ({ operation, from }) => operation === frame.operation && from === frame.from,
  )
  return first === frame && frame.examples.length > 0
}

function shown(frames: readonly Frame[], from: Frame['from']): string {
  const lines = frames.filter((frame) => frame.from === from).map(({ examples: [one] }) => one)
  return block('json', lines.map((line) => JSON.stringify(line)).join('\n'))
}

function channelPage(channel: Channel): string {
  const head = `${channel.dialect.pushHead(channel.id)}…}`
  return paragraphs(
    `#### ${channel.title}`,
    `${code(channel.id)}, told apart by ${channel.key.map(code).join(', ')}`,
    description(withPushPolicy(channel)),
    fieldTable('subscription', channel.subscription),
    `Pushed as ${code(head)}:`,
    fieldTable('data', channel.data),
  )
}
