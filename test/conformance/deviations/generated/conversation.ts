/** Frames of a socket as changes look at them, and changes made of rules about them. */
import { isJsonObject, type JsonObject } from '../../../../src/conformance/responses.ts'
import type { Channel } from '../../../../src/contract/channel.ts'
import { PREFIXES } from '../../../../src/contract/prefixes.ts'
import type { Change, ConnectionChange } from '../change.ts'

export type Frame = JsonObject

/** A change of the connections to a channel's path, each with a memory of its own. */
export const talking = (channel: Channel, begin: () => FrameRules): Change => ({
  connection: (path) => (isPathOf(channel, path) ? connectionOf(begin()) : {}),
})

const isPathOf = ({ dialect }: Channel, path: string): boolean =>
  PREFIXES.some((prefix) => path.split('?')[0] === `${prefix}${dialect.path}`)

/** What is done with frames that are JSON objects. */
export interface FrameRules {
  /** Frames that the service hears in place of one; `tell` sends the client something at once. */
  sent?: (frame: Frame, tell: (frame: Frame) => void) => Frame[]
  /** Frames that the client hears in place of one. */
  heard?: (frame: Frame) => Frame[]
}

/** What a channel does with frames, with a memory of its own. */
export type ChannelRule = (channel: Channel) => FrameRules

const connectionOf = ({ sent, heard }: FrameRules): ConnectionChange => ({
  ...(sent && {
    sent: (text, tell) =>
      through(text, (frame) => sent(frame, (told) => tell(JSON.stringify(told)))),
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

/** The data of a frame; empty where it is no object. */
export const dataIn = ({ data }: Frame): JsonObject => (isJsonObject(data) ? data : {})

/** What an acknowledgement or a command is about; empty for neither. */
export const subscriptionIn = (of: JsonObject): JsonObject =>
  isJsonObject(of.subscription) ? of.subscription : {}

/** Whether a frame acknowledges a command about this channel of `/ws`. */
export const isAckOf = ({ id }: Channel, frame: Frame): boolean =>
  frame.channel === 'subscriptionResponse' && subscriptionIn(dataIn(frame)).type === id

/** Whether a command is about this channel of `/ws`. */
export const isAbout = ({ id }: Channel, frame: Frame): boolean => subscriptionIn(frame).type === id

/** Whether a frame is a push of this channel. */
export function isPushOf({ id, dialect }: Channel, frame: Frame): boolean {
  if (dialect.name === 'official') return frame.channel === id
  return frame.type === 'data' || (frame.channel === 'clearinghouseState' && 'data' in frame)
}

/** Whose a push is: a coin, or an account. */
export function subjectOf({ data }: Frame): string {
  const one = Array.isArray(data) ? data[0] : data
  if (!isJsonObject(one)) return ''
  return String(one.coin ?? one.s ?? one.user ?? one.address ?? '')
}

/** Whose a subscription is. */
export const subjectAsked = ({ coin, user }: JsonObject): string => String(coin ?? user ?? '')
