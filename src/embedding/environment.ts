/** What the environment says to whoever makes sandboxes: the only file here that reads it. */

/** `TAPEWRIGHT_URL`: the server on which sandboxes are made; undefined for one of our own. */
export const namedServer = (): string | undefined => process.env.TAPEWRIGHT_URL || undefined

/** `TAPEWRIGHT_CONTROL_TOKEN`, which that server wants when it does not listen on loopback. */
export const namedToken = (): string | undefined =>
  process.env.TAPEWRIGHT_CONTROL_TOKEN || undefined
