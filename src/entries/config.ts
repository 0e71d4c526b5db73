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

/** The fields of a section: flags that a file may set, each with its type. */
type Section<F extends Flags> = {
  [K in keyof F as F[K] extends Flag<unknown, false> ? K : never]?: F[K] extends Flag<infer T>
    ? Exclude<T, undefined>
    : never
}

/** The content of a settings file: the flags of a command, without their dashes. */
export type Config = {
  [S in keyof typeof SECTIONS]?: Section<(typeof SECTIONS)[S]['flags']>
}

/** Returns the settings as given; the compiler checks their fields. */
export const defineConfig = (config: Config): Config => config
