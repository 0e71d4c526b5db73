/** Frames of a socket, and changes by rules. */

import type { Change, ConnectionChange } from '../../../../src/conformance/lies/lying-transport.ts'
import { isJsonObject, type JsonObject } from '../../../../src/conformance/responses.ts'
import type { Channel } from '../../../../src/contract/channel.ts'
import { PREFIXES } from '../../../../src/contract/prefixes.ts'

export type Frame = JsonObject

/** A change of a channel's connections, each with its own state. */
export const talking = (channel: Channel, begin: () => FrameRules): Change => ({
  connection: (path) => (isPathOf(channel, path) ? connectionOf(begin()) : {}),
})

const isPathOf = ({ dialect }: Channel, path: string): boolean =>
  PREFIXES.some((prefix) => path.split('?')[0] === `${prefix}${dialect.path}`)

/** Rules for frames that are JSON objects. */
export interface FrameRules {
  /** Frames that the service receives instead of one; `tell` sends the client a frame at once. */
  sent?: (frame: Frame, tell: (frame: Frame) => void) => Frame[]
  /** Frames that the client receives instead of one. */
  heard?: (frame: Frame) => Frame[]
}

/** A rule of a channel with its own state. */
export type ChannelRule = (channel: Channel) => FrameRules

const connectionOf = ({ sent, heard }: FrameRules): ConnectionChange => ({
  ...(sent && {
    sent: (text, tell) =>
      through(text, (frame) => sent(frame, (changed) => tell(JSON.stringify(changed)))),
  }),
  ...(heard && { frame: (text) => through(text, heard) }),
})

function through(text: string, change: (frame: Frame) => Frame[]): string[] {
  const frame = jsonOf(text)
  if (!isJsonObject(frame)) return [text]
  const before = JSON.stringify(frame)
  return change(frame).map((one) => {
    const written = JSON.stringify(one)
    return one === frame && written === before ? text : written
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The data of a frame; empty for anything but an object. */
export const dataIn = ({ data }: Frame): JsonObject => (isJsonObject(data) ? data : {})

/** Subscription of an acknowledgement or a command; empty for neither. */
export const subscriptionIn = (of: JsonObject): JsonObject =>
  isJsonObject(of.subscription) ? of.subscription : {}

/** Whether a frame acknowledges a command for this channel of `/ws`. */
export const isAckOf = ({ id }: Channel, frame: Frame): boolean =>
  frame.channel === 'subscriptionResponse' && subscriptionIn(dataIn(frame)).type === id

/** Whether a command is for this channel of `/ws`. */
export const isAbout = ({ id }: Channel, frame: Frame): boolean => subscriptionIn(frame).type === id

/** Whether a frame is a push of this channel. */
export function isPushOf({ id, dialect }: Channel, frame: Frame): boolean {
  if (dialect.name === 'official') return frame.channel === id
  return frame.type === 'data' || (frame.channel === 'clearinghouseState' && 'data' in frame)
}

/** Subject of a push: a coin, or an account. */
export function subjectOf({ data }: Frame): string {
  const one = Array.isArray(data) ? data[0] : data
  if (!isJsonObject(one)) return ''
  return String(one.coin ?? one.s ?? one.user ?? one.address ?? '')
}

/** Subject of a subscription. */
export const subjectRequested = ({ coin, user }: JsonObject): string => String(coin ?? user ?? '')
