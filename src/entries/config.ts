/**
 * Settings for `tapewright`, in a `tapewright.config.ts`:
 *
 * ```ts
 * import { defineConfig } from 'tapewright/config'
 *
 * export default defineConfig({ serve: { port: 0, speed: 10, scenario: ['stale-book'] } })
 * ```
 */

import type { Flags } from '../server/commands/command.ts'
import type { SECTIONS } from '../server/commands/config-sections.ts'
import type { Flag } from '../server/commands/flag.ts'

/** The fields of a section: flags that may stand in a file, each with the type that it takes. */
type Section<F extends Flags> = {
  [K in keyof F as F[K] extends Flag<unknown, false> ? K : never]?: F[K] extends Flag<infer T>
    ? Exclude<T, undefined>
    : never
}

/** What a settings file may say: the flags of a command, without their dashes. */
export type Config = {
  [S in keyof typeof SECTIONS]?: Section<(typeof SECTIONS)[S]['flags']>
}

/** The settings as they are given, with their fields checked by the compiler. */
export const defineConfig = (config: Config): Config => config
