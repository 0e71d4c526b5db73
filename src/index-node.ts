/**
 * The library on Node: `createSandbox` starts a server as a process of its own. On Bun it is
 * `src/index.ts`, with the same names.
 */
export { type Client, type ClientSettings, client } from './client/client.ts'
export { AnswerError, ClientError, ConnectionError, ServiceError } from './client/errors.ts'
export { CHANNELS, OPERATIONS, PREFIXES } from './contract/index.ts'
export { type Credentials, credentials, sign, stringToSign } from './contract/signature.ts'
export {
  type Control,
  ControlError,
  control,
  type SandboxControl,
} from './control-client/control.ts'
export type { CreateSandboxOptions, SandboxHandle } from './embedding/create-sandbox.ts'
export { createSandbox } from './embedding/node.ts'
export type { SandboxClock } from './embedding/sandbox-clock.ts'
export { SandboxError } from './embedding/sandbox-error.ts'
export { VERSION } from './version.ts'
