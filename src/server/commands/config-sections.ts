/** The sections of a settings file, each with the command whose flags may stand there. */
import { CONFORM } from './conform/declaration.ts'
import { SERVE } from './serve/declaration.ts'

export const SECTIONS = { serve: SERVE, conform: CONFORM } as const
