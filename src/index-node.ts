/**
 * The library on Node: `createSandbox` starts a server as a process of its own. On Bun it is
 * `src/index.ts`, with the same names.
 */
export type { CreateSandboxOptions, SandboxHandle } from './embedding/create-sandbox.ts'
export { createSandbox } from './embedding/node.ts'
export type { SandboxClock } from './embedding/sandbox-clock.ts'
export { SandboxError } from './embedding/sandbox-error.ts'
export { VERSION } from './version.ts'
