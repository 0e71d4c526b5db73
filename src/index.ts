/**
 * The library on Bun: `createSandbox` has its server in this process. On Node it is
 * `src/index-node.ts`, with the same names. What else there is to import lies in `src/entries`.
 */
export { createSandbox } from './embedding/bun.ts'
export type { CreateSandboxOptions, SandboxHandle } from './embedding/create-sandbox.ts'
export type { SandboxClock } from './embedding/sandbox-clock.ts'
export { SandboxError } from './embedding/sandbox-error.ts'
export { VERSION } from './version.ts'
