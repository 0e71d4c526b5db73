/** The interface of this module. */

export type { Flags } from './commands/command.ts'
export { SECTIONS } from './commands/config-sections.ts'
export type { Flag } from './commands/flag.ts'
