/**
 * The library on Bun: `createSandbox` has its server in this process. On Node it is
 * `src/index-node.ts`, with the same names. What else there is to import lies in `src/entries`.
 */

export { VERSION } from './platform/version.ts'
export { createSandbox } from './server/embedding/bun.ts'
export type {
  CreateSandboxOptions,
  SandboxClock,
  SandboxHandle,
} from './server/embedding/create-sandbox.ts'
export { SandboxError } from './server/embedding/create-sandbox.ts'
