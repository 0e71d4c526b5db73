/**
 * The library on Bun: `createSandbox` has its server in this process. On Node it is
 * `src/index-node.ts`, with the same names.
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
export { createSandbox } from './embedding/bun.ts'
export type { CreateSandboxOptions, SandboxHandle } from './embedding/create-sandbox.ts'
export type { SandboxClock } from './embedding/sandbox-clock.ts'
export { SandboxError } from './embedding/sandbox-error.ts'
export { VERSION } from './version.ts'
