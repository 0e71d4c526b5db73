/**
 * The library: sandboxes in your own process, without a port.
 *
 * `new Registry(worldProvider({…}), actions)` holds sandboxes; `memoryTransport(registry)`
 * talks to them as a client would. `client({…})` asks a server that `tapewright serve` has
 * started, or the real service.
 */
export { type Client, type ClientSettings, client } from './client/client.ts'
export { AnswerError, ClientError, ConnectionError, ServiceError } from './client/errors.ts'
export { CHANNELS, OPERATIONS, PREFIXES } from './contract/index.ts'
export { type Credentials, credentials, sign, stringToSign } from './contract/signature.ts'
export { Registry } from './sandbox/registry.ts'
export type { SandboxOptions } from './sandbox/sandbox-options.ts'
export { type WorldProviderSettings, worldProvider } from './sandbox/world-provider.ts'
export { synthesise, synthInstruments } from './tape/synth/synthesis.ts'
export { DEFAULT_TAPE } from './tape/tape-name.ts'
export { openTape, type Tape } from './tape/tape-reader.ts'
export { createTape } from './tape/tape-writer.ts'
export {
  type MemorySocket,
  type MemoryTransport,
  memoryTransport,
} from './transport/memory/memory-transport.ts'
