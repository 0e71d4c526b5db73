/** The sections of a settings file, each with the command of its flags. */
import { CONFORM } from './conform/declaration.ts'
import { SERVE } from './serve/declaration.ts'

export const SECTIONS = { serve: SERVE, conform: CONFORM } as const
