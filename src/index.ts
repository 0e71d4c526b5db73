/**
 * The library: sandboxes in your own process, without a port.
 *
 * `new Registry(stageDoor({…}), actions)` holds sandboxes; `memory(registry)` talks to them as a
 * client would. `client({…})` asks a server that `tapewright serve` has started, or the real
 * service.
 */
export { type Client, type ClientSettings, client } from './client/client.ts'
export { AnswerError, ClientError, ConnectionError, ServiceError } from './client/errors.ts'
export { CHANNELS, OPERATIONS, PREFIXES } from './contract/index.ts'
export { type Credentials, credentials, sign, stringToSign } from './contract/signature.ts'
export { Registry } from './sandbox/registry.ts'
export { DEFAULT_TAPE, type StageSettings, stageDoor } from './sandbox/stages.ts'
export type { Wish } from './sandbox/wish.ts'
export { openTape, type Tape } from './tape/reader.ts'
export { synthesise, synthInstruments } from './tape/synth/index.ts'
export { createTape } from './tape/writer.ts'
export { type Memory, type MemorySocket, memory } from './transport/memory/memory.ts'
