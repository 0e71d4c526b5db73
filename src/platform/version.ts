import packageJson from '../../package.json' with { type: 'json' }

/** The version of Tapewright. */
export const VERSION: string = packageJson.version
