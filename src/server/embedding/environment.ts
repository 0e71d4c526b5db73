/** The environment of a program that creates sandboxes, or is started as a package. */

/** `TAPEWRIGHT_URL`: the server of new sandboxes; undefined for one of our own. */
export const namedServer = (): string | undefined => process.env.TAPEWRIGHT_URL || undefined

/** `TAPEWRIGHT_CONTROL_TOKEN`, which that server requires when it does not listen on loopback. */
export const namedToken = (): string | undefined =>
  process.env.TAPEWRIGHT_CONTROL_TOKEN || undefined

/** Whether npm has started this process, through a shell: `npx`, `npm exec`, `npm run`. */
export const isStartedByNpm = (): boolean => process.env.npm_command !== undefined

/** The environment of this process with further variables, for a program that it starts. */
export const environmentWith = (more: Readonly<Record<string, string>>) => ({
  ...process.env,
  ...more,
})
