/** What the environment says to a program that makes sandboxes, or is started as a package. */

/** `TAPEWRIGHT_URL`: the server on which sandboxes are made; undefined for one of our own. */
export const namedServer = (): string | undefined => process.env.TAPEWRIGHT_URL || undefined

/** `TAPEWRIGHT_CONTROL_TOKEN`, which that server wants when it does not listen on loopback. */
export const namedToken = (): string | undefined =>
  process.env.TAPEWRIGHT_CONTROL_TOKEN || undefined

/** Whether npm has started this process, by a shell of its own: `npx`, `npm exec`, `npm run`. */
export const isStartedByNpm = (): boolean => process.env.npm_command !== undefined
