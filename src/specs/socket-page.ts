/** A socket path with its channels in the reference. */
import type { Channel } from '../contract/channel.ts'
import type { Dialect } from '../contract/dialect.ts'
import { description } from './description.ts'
import { fieldTable } from './field-table.ts'
import { block, code, paragraphs } from './markdown.ts'
import { withPushPolicy } from './push-policy.ts'
import { type Frame, framesOf } from './socket-frames.ts'

/** Markdown with a heading of the third level, and one of the fourth for each channel. */
export function socketPage(dialect: Dialect, channels: readonly Channel[]): string {
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
