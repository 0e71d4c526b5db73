import { version } from '../package.json' with { type: 'json' }

/** The version of Tapewright. */
export const VERSION: string = version
