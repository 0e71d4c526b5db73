/**
 * The library on Node: `createSandbox` starts a server as a process of its own. On Bun it is
 * `src/index.ts`, with the same names.
 */

export { VERSION } from './platform/version.ts'
export type {
  CreateSandboxOptions,
  SandboxClock,
  SandboxHandle,
} from './server/embedding/create-sandbox.ts'
export { SandboxError } from './server/embedding/create-sandbox.ts'
export { createSandbox } from './server/embedding/node.ts'
