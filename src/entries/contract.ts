/** `tapewright/contract`: every operation and channel with its schemas, and the signature. */

export { CHANNELS, OPERATIONS } from '../contract/catalogue.ts'
export type { Channel, TypedChannel } from '../contract/channel.ts'
export { STREAMS } from '../contract/channels.ts'
export type { Operation, TypedOperation } from '../contract/operation.ts'
export { CONTRACT } from '../contract/operations.ts'
export { PREFIXES } from '../contract/prefixes.ts'
export type { Static, TSchema } from '../contract/schema.ts'
export { type Credentials, credentials, sign, stringToSign } from '../contract/signature.ts'
